-- model: capability_missed
-- what: annotated elements that no captioner states correctly
-- grain: one row per benchmark, judge, dimension, sample and element that at least two captioners were judged on and none states correctly
-- key: [benchmark, judge, provenance, dimension, sample_id, element]
-- inputs: [capability_verdicts, annotations]
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

select
    benchmark, v.judge, v.provenance, dimension, sample_id, element, a.value, a.media,
    count(distinct v.captioner) as n_captioners, sum(v.n_negative) as n_negative, sum(v.n_miss) as n_miss
from capability_verdicts as v
inner join annotations as a using (benchmark, dimension, sample_id, element)
where v.n_positive + v.n_negative + v.n_miss > 0
group by benchmark, v.judge, v.provenance, dimension, sample_id, element, a.value, a.media
having sum(v.n_positive) = 0 and count(distinct v.captioner) >= 2;
