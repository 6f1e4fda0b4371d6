-- what: the headline score of each captioner on each benchmark, side by side, with its place and the length of its captions
-- key: [series, captioner]
-- source: "CaptionQA Table 3; CAPability Tables 3 and 4 and CV-CapBench Table 2, average F1; CapArena Figure 1, Table 8 and, of other
--     benchmarks, the scores behind Figure 4"
-- columns:
--   series: [varchar, not null, "scores that can be compared with each other: benchmark, prompt, reader or judge, protocol and
--       provenance, with slashes between"]
--   series_name: [varchar, not null, "name of the series to show to people, with the reader or judge where there are several"]
--   series_place: [bigint, rank, 1.., "place of the benchmark among those with scores, in captionlake's order: CaptionQA, CAPability,
--       CV-CapBench, CapArena, CapArena-Auto, then others by name"]
--   benchmark: [varchar, "captionqa, capability, cv-capbench, caparena, caparena-auto, or the name of another benchmark"]
--   prompt: [varchar, caption prompt; empty for benchmarks that have one]
--   judge: [varchar, "model_id of the reader (CaptionQA) or judge, people for all people's votes; empty for other benchmarks"]
--   protocol: [varchar, "how answers, judgments and votes were asked and scored; empty for other benchmarks"]
--   provenance, captioner, captioner_name:
--   model_type: [varchar, "open or proprietary; empty when not known"]
--   score: [double, "headline score on the benchmark's own scale, higher is better: CaptionQA's mean over domains in percent, the average
--       F1 in percent, Elo by people's votes in points, CapArena-Auto's score in points; null where only the printed order is known"]
--   place: [bigint, rank, 1.., "place in the series, 1 the best; equal scores share the better place"]
--   n_models: [bigint, count, 1.., captioners of the series]
--   mean_words: [double, words, 0.., "mean number of words of the captioner's captions, of the same benchmark and prompt; null when not
--       known"]
-- intervals:
--   score: given; as in the mart that the score comes from; null for printed rows

with found as (
    select
        'captionqa' as benchmark, prompt, reader as judge, protocol, provenance, origin, captioner, score, score_low,
        score_high, score as value
    from captionqa_scores
    where level = 'overall' and evidence = 'caption'
    union all by name
    -- The first repetition stands for the captioner, as the papers have one. Published averages have the digits that are printed, so that
    -- what is equal in print shares a place.
    select
        benchmark, '' as prompt, judge, protocol, provenance, origin, captioner,
        case origin when 'published' then round(figure, cast(decimals as integer)) else figure end as score, figure_low as score_low,
        figure_high as score_high, score as value
    from capability_figures
    inner join rubric_protocols() using (benchmark)
    where section = 'average' and metric = 'f1' and n_dimensions = n_expected and figure is not null and repeat = 0
    union all by name
    select
        benchmark, '' as prompt, judge, protocol, provenance, origin, captioner, elo as score, elo_low as score_low, elo_high as score_high,
        -place as value
    from arena_ranking
    where benchmark = 'caparena' and judge = 'people' and captioner <> 'human' and place is not null
    union all by name
    select
        'caparena-auto' as benchmark, '' as prompt, judge, protocol, provenance, origin, captioner, score, score_low, score_high,
        score as value
    from arena_auto
    where baseline = '' and score is not null
    union all by name
    select
        category as benchmark, '' as prompt, '' as judge, '' as protocol, 'published' as provenance, 'published' as origin,
        model_id as captioner, max(value) as score, max(value) as value
    from published
    where benchmark = 'caparena' and metric = 'benchmark_score' and model_id <> ''
    group by category, model_id
),

-- What was computed from rows of the lake comes before what is printed of the same.
chosen as (
    select
        *, concat_ws('/', benchmark, nullif(prompt, ''), nullif(judge, ''), nullif(protocol, ''), provenance) as series,
        row_number() over (
            partition by benchmark, prompt, judge, protocol, provenance, captioner
            order by case when origin = 'published' then 1 else 0 end
        ) as choice
    from found
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

-- Measured scores may be those of published captions.
nearest as (
    select
        condition_of(benchmark, '', '', captioner, prompt, provenance = 'simulated') as captions_id,
        value_at_least(mean_words, -provenance_place(provenance)) as mean_words
    from lengths
    group by all
),

named as (
    select
        c.*, coalesce(t.title, c.benchmark) as title, coalesce(t.place, 1000) as title_place,
        coalesce(j.name, c.judge) as judge_name, coalesce(m.name, c.captioner) as captioner_name, coalesce(m.model_type, '') as model_type,
        w.mean_words,
        min(c.judge) over same_name <> max(c.judge) over same_name as several_judges,
        min(c.protocol) over same_name <> max(c.protocol) over same_name as several_protocols
    from chosen as c
    left join benchmark_titles() as t using (benchmark)
    left join models as j on j.model_id = c.judge
    left join models as m on m.model_id = c.captioner
    left join nearest as w
        on w.captions_id = condition_of(c.benchmark, '', '', c.captioner, c.prompt, c.provenance = 'simulated')
    where c.choice = 1
    window same_name as (partition by c.benchmark, c.prompt, c.provenance)
)

select
    series,
    concat_ws(
        ', ', title || case when prompt <> '' then ' ' || prompt else '' end, case when several_judges then judge_name end,
        case when several_protocols then protocol end, case when provenance <> 'published' then provenance end
    ) as series_name,
    dense_rank() over (order by title_place, title) as series_place,
    benchmark, prompt, judge, protocol, provenance, captioner, captioner_name, model_type, score, score_low, score_high,
    rank() over (partition by series order by exact_mean(value) desc) as place, count(*) over (partition by series) as n_models, mean_words
from named;

-- audit: names_tell_series_apart: two series of one name could not be told apart in a figure
select series_name, count(distinct series) as n_series
from benchmark_scores
group by series_name
having count(distinct series) > 1;
