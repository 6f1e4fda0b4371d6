-- model: capability_missed
-- what: annotated elements that no captioner states correctly
-- grain: one row per benchmark, judge, dimension, sample and element that at least two captioners were judged on and none states correctly
-- key: [benchmark, judge, provenance, dimension, sample_id, element]
-- inputs: [judgments, stale_judgments, annotations]
-- source: none; candidates for a look at the annotation as well as at the models
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   judge: [varchar, model_id of the judge]
--   provenance: [varchar, "published, measured or simulated"]
--   dimension: [varchar, dimension]
--   sample_id: [varchar, sample]
--   element: [varchar, object that is annotated; empty when the dimension annotates none]
--   value: [varchar, annotated value]
--   media: [varchar, "media file, as the benchmark names it"]
--   n_captioners: [bigint, count, 2.., captioners judged]
--   n_negative: [bigint, count, 0.., "verdicts negative: mentioned, but not as annotated"]
--   n_miss: [bigint, count, 0.., "verdicts miss: not mentioned"]

with verdicts as (
    select
        benchmark, judge, provenance, dimension, sample_id, element,
        count(distinct captioner) as n_captioners,
        sum(case when verdict = 'positive' then 1 else 0 end) as n_positive,
        sum(case when verdict = 'negative' then 1 else 0 end) as n_negative,
        sum(case when verdict = 'miss' then 1 else 0 end) as n_miss
    from counted_judgments()
    where verdict in ('positive', 'negative', 'miss')
    group by benchmark, judge, provenance, dimension, sample_id, element
)

select
    v.benchmark, v.judge, v.provenance, v.dimension, v.sample_id, v.element, a.value, a.media, v.n_captioners, v.n_negative, v.n_miss
from verdicts as v
inner join annotations as a
    on a.benchmark = v.benchmark and a.dimension = v.dimension and a.sample_id = v.sample_id and a.element = v.element
where v.n_positive = 0 and v.n_captioners >= 2;
