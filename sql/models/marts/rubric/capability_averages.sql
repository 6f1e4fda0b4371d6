-- what: precision, recall, F1 and hit rate averaged over all dimensions, over the static, the dynamic, and those of each view
-- key: [benchmark, judge, captioner, repeat, section, provenance, origin]
-- source: CAPability Tables 3, 4 and 5, column Avg.; CV-CapBench Tables 2 and 3, column Average
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   protocol: [varchar, "metric protocol: CAPability takes the mean of the F1s, CV-CapBench the F1 of the means"]
--   judge:
--   captioner: [varchar, model_id whose captions were judged]
--   captioner_name, repeat:
--   section: [varchar, [all, static, dynamic, object, global, text, camera, temporal, knowledge], "all, static, dynamic, or a view: object,
--       global, text, camera, temporal, knowledge"]
--   provenance:
--   origin: [varchar, judgments or published]
--   n_dimensions: [bigint, count, 1..13, dimensions present]
--   n_expected: [bigint, count, dimensions that the paper's tables have in the section]
--   precision: [double, percent, 0..100, mean over the dimensions present]
--   recall: [double, percent, 0..100, mean over the dimensions present]
--   f1: [double, percent, 0..100, average F1 as the protocol takes it]
--   hit_rate: [double, percent, 0..100, mean over the dimensions present]
-- intervals:
--   precision: given; from 1000 bootstrap draws over media files; the mean of those of the dimensions where all draws agree
--   recall, f1, hit_rate: given; made in the same way

select
    max(case when f.metric = '{rubric_metric}' then f.figure end) as {rubric_metric},
    max(case when f.metric = '{rubric_metric}' then f.figure_low end) as {rubric_metric}_low,
    max(case when f.metric = '{rubric_metric}' then f.figure_high end) as {rubric_metric}_high,
    benchmark, p.protocol, f.judge, f.captioner, f.captioner_name, f.repeat,
    case when f.kind = 'average' then 'all' else f.section end as section,
    f.provenance, f.origin, f.n_dimensions, f.n_expected
from capability_figures as f
inner join rubric_protocols() as p using (benchmark)
where f.kind <> 'dimension'
group by all;
