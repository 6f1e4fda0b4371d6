-- what: precision, recall, F1 and hit rate of every captioner in every dimension and average, in each bootstrap draw
-- key: [benchmark, judge, captioner, repeat, provenance, section, draw]
-- source: none; a step on the way to all intervals of the rubric
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   judge:
--   captioner: [varchar, model_id whose captions were judged]
--   repeat, provenance:
--   section: [varchar, "dimension, or the name of an average: average, static, dynamic, or a view"]
--   kind: [varchar, "dimension for a single one, average for all of the paper's tables, part for some of them"]
--   draw: [bigint, count, 0..999, "number of the draw, from 0"]
--   complete: [boolean, the draw has elements in all dimensions of the section]
--   precision: [double, percent, 0..100, correct share of what is mentioned; 0 when nothing is]
--   recall: [double, percent, 0..100, correct share of what was judged]
--   f1: [double, percent, 0..100, harmonic mean of precision and recall; average as the protocol takes it]
--   hit_rate: [double, percent, 0..100, share of what was judged that the caption mentions]

with drawn as (
    select
        benchmark, judge, captioner, repeat, provenance, dimension, draw,
        rubric_figure('precision', n_all, n_hit, n_correct) as precision,
        rubric_figure('recall', n_all, n_hit, n_correct) as recall,
        rubric_figure('f1', n_all, n_hit, n_correct) as f1,
        rubric_figure('hit_rate', n_all, n_hit, n_correct) as hit_rate
    from capability_draws
    where n_all > 0
),

means as (
    select
        benchmark, judge, captioner, repeat, provenance, section, draw, max(kind) as kind, max(f1_of_means) as f1_of_means,
        count(*) = max(n_expected) as complete,
        mean_of(precision) as precision, mean_of(recall) as recall, mean_of(f1) as f1_mean, mean_of(hit_rate) as hit_rate
    from drawn
    inner join rubric_sections() using (benchmark, dimension)
    where kind <> 'dimension'
    group by benchmark, judge, captioner, repeat, provenance, section, draw
)

select
    benchmark, judge, captioner, repeat, provenance, dimension as section, 'dimension' as kind, draw, true as complete,
    precision, recall, f1, hit_rate
from drawn
union all
select
    benchmark, judge, captioner, repeat, provenance, section, kind, draw, complete,
    precision, recall, average_f1(f1_of_means, precision, recall, f1_mean) as f1, hit_rate
from means;

-- audit: correct_is_mentioned: what is stated correctly is mentioned, so that no recall exceeds its hit rate
select benchmark, judge, captioner, section, draw, recall, hit_rate
from capability_draw_figures
where recall > hit_rate + 0.000001;
