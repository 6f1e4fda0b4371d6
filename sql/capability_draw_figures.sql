-- model: capability_draw_figures
-- what: precision, recall, F1 and hit rate of every captioner in every dimension and on average, in each bootstrap draw
-- grain: one row per benchmark, judge, captioner, repeat, provenance, dimension or average, and draw
-- key: [benchmark, judge, captioner, repeat, provenance, dimension, draw]
-- inputs: [capability_draws, capability_rubric]
-- source: none; a step on the way to the intervals of capability_pairs, capability_judges and capability_repeats
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   judge: [varchar, model_id of the judge]
--   captioner: [varchar, model_id whose captions were judged]
--   repeat: [bigint, count, "number of the repetition, from 0"]
--   provenance: [varchar, "published, measured or simulated"]
--   dimension: [varchar, "dimension, or average over those of the paper's tables, in the draws that have all of them"]
--   draw: [bigint, count, 0..999, "number of the draw, from 0"]
--   precision: [double, percent, 0..100, correct share of what is mentioned; 0 when nothing is]
--   recall: [double, percent, 0..100, correct share of what was judged]
--   f1: [double, percent, 0..100, harmonic mean of precision and recall; average as the protocol takes it]
--   hit_rate: [double, percent, 0..100, share of what was judged that the caption mentions]

with rubric as (
    select benchmark, dimension, in_tables, f1_of_means, count(case when in_tables then 1 end) over (partition by benchmark) as n_expected
    from capability_rubric
),

drawn as (
    select
        d.benchmark, d.judge, d.captioner, d.repeat, d.provenance, d.dimension, d.draw, r.in_tables, r.f1_of_means, r.n_expected,
        coalesce(percent_of(d.n_correct, d.n_hit), 0) as precision_part,
        percent_of(d.n_correct, d.n_all) as recall_part,
        percent_of(2 * d.n_correct, d.n_all + d.n_hit) as f1_part,
        percent_of(d.n_hit, d.n_all) as hit_rate_part
    from capability_draws as d
    inner join rubric as r on r.benchmark = d.benchmark and r.dimension = d.dimension
    where d.n_all > 0
),

means as (
    select
        benchmark, judge, captioner, repeat, provenance, draw, f1_of_means,
        ratio_of(sum(exact(precision_part)), count(*)) as precision_mean,
        ratio_of(sum(exact(recall_part)), count(*)) as recall_mean,
        ratio_of(sum(exact(f1_part)), count(*)) as f1_mean,
        ratio_of(sum(exact(hit_rate_part)), count(*)) as hit_rate_mean
    from drawn
    where in_tables
    group by benchmark, judge, captioner, repeat, provenance, draw, f1_of_means, n_expected
    having count(*) = n_expected
),

all_drawn as (
    select benchmark, judge, captioner, repeat, provenance, dimension, draw, precision_part, recall_part, f1_part, hit_rate_part
    from drawn
    union all
    select
        benchmark, judge, captioner, repeat, provenance, 'average' as dimension, draw, precision_mean as precision_part,
        recall_mean as recall_part, average_f1(f1_of_means, precision_mean, recall_mean, f1_mean) as f1_part,
        hit_rate_mean as hit_rate_part
    from means
)

select
    benchmark, judge, captioner, repeat, provenance, dimension, draw,
    precision_part as precision,
    recall_part as recall,
    f1_part as f1,
    hit_rate_part as hit_rate
from all_drawn;

-- audit: correct_is_mentioned: what is stated correctly is mentioned, so that no recall exceeds its hit rate
select benchmark, judge, captioner, dimension, draw, recall, hit_rate
from capability_draw_figures
where recall > hit_rate + 0.000001;
