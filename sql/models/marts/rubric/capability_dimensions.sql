-- what: precision, recall, F1 and hit rate of every captioner in every dimension, computed from judgments and as printed in the papers
-- key: [benchmark, judge, captioner, repeat, dimension, provenance, origin]
-- source: CAPability Tables 3, 4 and 5, equations 1 to 3; CV-CapBench Tables 2 and 3
-- columns:
--   benchmark: [varchar, [capability, cv-capbench]]
--   protocol: [varchar, metric protocol]
--   judge: [varchar, model_id of the judge; the paper's judge for printed rows]
--   captioner: [varchar, model_id whose captions were judged]
--   captioner_name:
--   model_type: [varchar, "open, proprietary, human, metric or rehearsal; null when the registry does not know the captioner"]
--   repeat, dimension:
--   view: [varchar, "object, global, text, camera, temporal or knowledge"]
--   dynamic: [boolean, the dimension cannot be told from a single frame]
--   provenance:
--   origin: [varchar, [judgments, published], "base table that the row comes from: judgments or published"]
--   n_annotated: [bigint, count, "elements annotated; null for printed rows, as all counts"]
--   n_all: [bigint, count, 0.., "elements judged: the denominator of recall and hit rate"]
--   n_hit: [bigint, count, "of them, mentioned in the caption: the denominator of precision"]
--   n_correct: [bigint, count, "of them, stated correctly"]
--   n_unparsed: [bigint, count, elements whose judgment cannot be read; in no denominator]
--   n_failed: [bigint, count, elements that the judge gave no reply about; in no denominator]
--   n_missing: [bigint, count, 0.., annotated elements without any judgment; in no denominator]
--   precision: [double, percent, 0..100, correct share of what is mentioned; 0 when nothing is]
--   recall: [double, percent, 0..100, correct share of what was judged]
--   f1: [double, percent, 0..100, harmonic mean of precision and recall]
--   hit_rate: [double, percent, 0..100, "share of what was judged that the caption mentions, rightly or wrongly"]
-- intervals:
--   precision: given; from 1000 bootstrap draws over media files; by Korn and Graubard where all draws agree, and null for a single file
--       then
--   recall, f1, hit_rate: given; made in the same way

select
    max(case when f.metric = 'precision' then f.figure end) as precision,
    max(case when f.metric = 'precision' then f.figure_low end) as precision_low,
    max(case when f.metric = 'precision' then f.figure_high end) as precision_high,
    max(case when f.metric = 'recall' then f.figure end) as recall,
    max(case when f.metric = 'recall' then f.figure_low end) as recall_low,
    max(case when f.metric = 'recall' then f.figure_high end) as recall_high,
    max(case when f.metric = 'f1' then f.figure end) as f1,
    max(case when f.metric = 'f1' then f.figure_low end) as f1_low,
    max(case when f.metric = 'f1' then f.figure_high end) as f1_high,
    max(case when f.metric = 'hit_rate' then f.figure end) as hit_rate,
    max(case when f.metric = 'hit_rate' then f.figure_low end) as hit_rate_low,
    max(case when f.metric = 'hit_rate' then f.figure_high end) as hit_rate_high,
    benchmark, r.protocol, f.judge, f.captioner, f.captioner_name, m.model_type, f.repeat, r.dimension, r.view, r.dynamic,
    f.provenance, f.origin, f.n_annotated, f.n_all, f.n_hit, f.n_correct, f.n_unparsed, f.n_failed,
    f.n_annotated - f.n_all - f.n_unparsed - f.n_failed as n_missing
from capability_figures as f
inner join capability_rubric as r using (benchmark)
left join models as m on m.model_id = f.captioner
where f.section = r.dimension
group by all;
