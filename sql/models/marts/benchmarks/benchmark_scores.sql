-- what: the headline score of each captioner on each benchmark, side by side, with its place and the length of its
--     captions
-- key: [series, captioner, origin, provenance]
-- source: "CaptionQA Table 3; CAPability Tables 3 and 4 and CV-CapBench Table 2, average F1; CapArena Figure 1, Table 8
--     and, of other benchmarks, the scores behind Figure 4"
-- columns:
--   series: [varchar, not null, "scores that can be compared with each other: board_id of boards"]
--   series_name: [varchar, not null, "board in a few words, with the caption prompt"]
--   series_place: [bigint, rank, 1.., "place of the benchmark among benchmarks with scores, in captionlake's order:
--       CaptionQA, CAPability, CV-CapBench, CapArena, CapArena-Auto, then others by name"]
--   benchmark: [varchar, "captionqa, capability, cv-capbench, caparena, caparena-auto, or the name of another
--       benchmark"]
--   prompt: [varchar, caption prompt; empty for benchmarks that have one]
--   judge: [varchar, "model_id of the reader (CaptionQA) or judge, people for all people's votes; empty for other
--       benchmarks"]
--   protocol: [varchar, "how answers, judgments and votes were asked and scored; empty for other benchmarks"]
--   provenance, captioner, captioner_name:
--   origin: [varchar, [answers, judgments, battles, published], "base table that the score comes from"]
--   model_type: [varchar, "open, proprietary, human, metric or rehearsal; unknown when the registry does not know the
--       captioner"]
--   score: [double, "headline score on the benchmark's own scale, higher is better: CaptionQA's mean over domains in
--       percent, the average F1 in percent, Elo by people's votes in points, CapArena-Auto's score in points; null
--       where only the printed order is known"]
--   place: [bigint, rank, 1.., "place in the series, 1 the best; equal scores share the better place; null where nobody
--       else is in it, and for a printed row where the captioner has a measured one"]
--   n_models: [bigint, count, 0.., captioners of the series that have a score]
--   is_first: [boolean, "of the series in which rows of the provenance were asked alike, the one with most of them"]
--   is_replaced, board_place:
--   mean_words: [double, words, 0.., "mean number of words of the captioner's captions, of the same benchmark and
--       prompt; null when not known"]
--   note:
-- intervals:
--   score: given; as in the mart that the score comes from; null for printed rows

with figures as (
    select condition_id, origin, domain as section, score, score_low, score_high, score as value, note
    from captionqa_scores
    where level in ('overall', 'domain') and evidence = 'caption'
    union all by name
    -- Published averages have the printed digits, so that captioners with equal printed values share a place.
    select
        condition_id, origin, section,
        case origin when 'published' then round(figure, cast(decimals as integer)) else figure end as score,
            figure_low as score_low,
        figure_high as score_high, score as value, note
    from capability_figures
    inner join rubric_protocols() using (benchmark)
    where metric = 'f1'
    union all by name
    select
        condition_of(benchmark, judge, origin, captioner, protocol, provenance) as condition_id, origin, '' as section,
        elo as score, elo_low as score_low, elo_high as score_high, -place as value
    from arena_ranking
    where benchmark = 'caparena'
    union all by name
    select
        condition_id, origin, baseline as section, score, score_low, score_high, score as value, note
    from arena_auto
    union all by name
    select
        condition_of(category, '', 'published', model_id, '', 'published') as condition_id, 'published' as origin,
        '' as section, max(value) as score, max(value) as value
    from published
    where benchmark = 'caparena' and metric = 'benchmark_score' and model_id <> ''
    group by category, model_id
),

-- The first repetition stands for the captioner, as the papers have one.
headlines as (
    select *
    from boards
    inner join figures using (condition_id, origin, section)
    where is_headline and repeat = 0 and (benchmark <> 'caparena' or judge = 'people')
),

lengths as (
    select 'captionqa' as benchmark, prompt, provenance, captioner, mean_words
    from caption_lengths
    where domain = 'Overall' and captioner <> ''
    union all by name
    select prompt as benchmark, '' as prompt, provenance, captioner, mean_words
    from caption_lengths
    where domain = 'Overall' and captioner <> '' and prompt in (select benchmark from rubric_protocols())
    union all by name
    select benchmark, '' as prompt, provenance, captioner, mean_words
    from arena_lengths
),

-- Measured scores may be scores of published captions.
nearest as (
    select
        key_of(benchmark, captioner, prompt, provenance = 'simulated') as captions_id,
        value_at_least(mean_words, -provenance_place(provenance)) as mean_words
    from lengths
    group by all
),

placed as (
    select
        h.*, w.mean_words, coalesce(t.place, 1000) as title_place, coalesce(t.title, h.benchmark) as title,
        rank() over (partition by board_id, is_replaced order by exact_mean(value) desc nulls last) as place_of_value,
        count(value) filter (where not is_replaced) over (partition by board_id) as n_models
    from headlines as h
    left join benchmark_titles() as t using (benchmark)
    left join nearest as w on w.captions_id = key_of(h.benchmark, h.captioner, h.prompt, h.provenance = 'simulated')
)

select
    board_id as series, label as series_name,
    dense_rank() over (order by title_place, title) as series_place, benchmark, prompt, judge, protocol, provenance,
    captioner, captioner_name, origin, model_type, score, score_low, score_high,
    case when n_models > 1 and value is not null and not is_replaced then place_of_value end as place, n_models,
        is_first, is_replaced,
    board_place, mean_words, note
from placed;

-- audit: names_tell_series_apart: two series of one name could not be told apart in a figure
select series_name, count(distinct series) as n_series
from benchmark_scores
group by series_name
having count(distinct series) > 1;
