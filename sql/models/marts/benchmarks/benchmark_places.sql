-- what: places of a captioner on two benchmarks, among the captioners that both benchmarks have scored
-- key: [series_a, series_b, provenance, captioner]
-- source: "captionlake: the comparison across papers; CapArena Figure 4 compares its own ranking with other benchmarks"
-- columns:
--   series_a: [varchar, "scores on one benchmark, as in benchmark_scores: the one that comes first in captionlake's
--       order"]
--   series_b: [varchar, scores on the other]
--   series_a_name: [varchar, name of the one to show to people]
--   series_b_name: [varchar, name of the other to show to people]
--   benchmark_a: [varchar, benchmark of the one]
--   benchmark_b: [varchar, benchmark of the other]
--   prompt_a: [varchar, caption prompt of the one; empty when it has no choice]
--   prompt_b: [varchar, caption prompt of the other]
--   provenance: [varchar, [published, measured, simulated], "published: over the captioners with both scores printed;
--       measured: over these and measured ones, which take the place of printed ones; simulated: over simulated scores
--       alone"]
--   captioner: [varchar, "model_id of the captioner; versions that the registry keeps apart are different captioners"]
--   captioner_name:
--   model_type: [varchar, "open or proprietary; empty when not known"]
--   score_a: [double, "score on the one; null where only the printed order is known"]
--   score_b: [double, score on the other]
--   place_a: [double, rank, 1.., "place on the one among the captioners that are in both, 1 the best, ties at their
--       mean place"]
--   place_b: [double, rank, 1.., place on the other]
--   difference: [double, places, "place_b - place_a: positive where the other benchmark thinks less of the captioner"]
--   n_models: [bigint, count, 1.., "captioners that are in both: with few of them, places tell little"]
--   mean_words: [double, words, 0.., "mean length of the captioner's captions, from one benchmark for all captioners of
--       the two: the one that knows it of more of them, the first if of equally many; null when that one does not know
--       it"]
--   words_from: [varchar, "series whose captions' lengths these are; null when neither knows any"]

with pairs as (
    select
        a.series as series_a, b.series as series_b, a.series_name as series_a_name, b.series_name as series_b_name,
        a.benchmark as benchmark_a, b.benchmark as benchmark_b, a.prompt as prompt_a, b.prompt as prompt_b,
        p.provenance,
        captioner, a.captioner_name, a.model_type, a.score as score_a, b.score as score_b,
        coalesce(a.score, -a.place) as all_a,
        coalesce(b.score, -b.place) as all_b, a.mean_words as words_a, b.mean_words as words_b,
        weaker_provenance(a.provenance, b.provenance) as weaker
    from benchmark_scores as a
    inner join benchmark_scores as b using (captioner)
    cross join (values ('published'), ('measured'), ('simulated')) as p (provenance)
    where a.series_place < b.series_place and all_a is not null and all_b is not null and case p.provenance
        when 'published' then weaker = 'published'
        when 'measured' then weaker <> 'simulated' and not a.is_replaced and not b.is_replaced
        else a.provenance = 'simulated' and b.provenance = 'simulated'
    end
    -- Without a measured score the comparison is between printed scores.
    qualify p.provenance <> 'measured' or bool_or(weaker = 'measured')
        over (partition by series_a, series_b, p.provenance)
),

placed as (
    select
        *, count(*) over both_series as n_models,
        count(words_a) over both_series as n_words_a, count(words_b) over both_series as n_words_b,
        (rank() over (both_series order by all_a desc) + count(*) over (both_series order by all_a desc)) / 2.0
            as place_a,
        (rank() over (both_series order by all_b desc) + count(*) over (both_series order by all_b desc)) / 2.0
            as place_b
    from pairs
    window both_series as (partition by series_a, series_b, provenance)
)

select
    series_a, series_b, series_a_name, series_b_name, benchmark_a, benchmark_b, prompt_a, prompt_b, provenance,
    captioner, captioner_name,
    model_type, score_a, score_b, place_a, place_b, place_b - place_a as difference, n_models,
    case when n_words_a >= n_words_b then words_a else words_b end as mean_words,
    case when n_words_a + n_words_b > 0 then case when n_words_a >= n_words_b then series_a
        else series_b end end as words_from
from placed;

-- audit: places_balance: the places of all captioners add up to the same on both sides
select series_a, series_b, provenance, sum(difference) as total
from benchmark_places
group by series_a, series_b, provenance
having abs(sum(difference)) > 0.000001;
