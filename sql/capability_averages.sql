-- model: capability_averages
-- what: "averages over dimensions: all of them, static, dynamic, and those of each view"
-- grain: one row per benchmark, judge, captioner, repeat, section, provenance and origin
-- key: [benchmark, judge, captioner, repeat, section, provenance, origin]
-- inputs: [capability_dimensions, capability_rubric, capability_draws]
-- source: CAPability Tables 3, 4 and 5, column Avg.; CV-CapBench Tables 2 and 3, column Average
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   protocol: [varchar, "metric protocol: CAPability takes the mean of the F1s, CV-CapBench the F1 of the means"]
--   judge: [varchar, model_id of the judge]
--   captioner: [varchar, model_id whose captions were judged]
--   model: [varchar, name of the captioner to show to people]
--   repeat: [bigint, count, "number of the repetition, from 0"]
--   section: [varchar, [all, static, dynamic, object, global, text, camera, temporal, knowledge], "all, static, dynamic, or a view: object,
--       global, text, camera, temporal, knowledge"]
--   provenance: [varchar, "published, measured or simulated"]
--   origin: [varchar, judgments or published]
--   n_dimensions: [bigint, count, 1..13, dimensions present]
--   n_expected: [bigint, count, dimensions that the paper's tables have in the section]
--   precision: [double, percent, 0..100, mean over the dimensions present]
--   recall: [double, percent, 0..100, mean over the dimensions present]
--   f1: [double, percent, 0..100, average F1 as the protocol takes it]
--   hit_rate: [double, percent, 0..100, mean over the dimensions present]
-- intervals:
--   precision: given(0, 100); from 1000 bootstrap draws over media files; the mean of those of the dimensions where all draws agree
--   recall, f1, hit_rate: given(0, 100)

with rubric as (
    select benchmark, dimension, view, dynamic, f1_of_means
    from capability_rubric
    where in_tables
),

sections as (
    select benchmark, dimension, f1_of_means, 'all' as section from rubric
    union all
    select benchmark, dimension, f1_of_means, case when dynamic then 'dynamic' else 'static' end as section from rubric
    union all
    select benchmark, dimension, f1_of_means, view as section from rubric
),

expected as (
    select benchmark, section, count(*) as n_expected
    from sections
    group by benchmark, section
),

present as (
    select
        d.benchmark, d.protocol, d.judge, d.captioner, d.model, d.repeat, s.section, d.provenance, d.origin, s.f1_of_means,
        d.precision_low, d.precision_high, d.recall_low, d.recall_high, d.f1_low, d.f1_high, d.hit_rate_low, d.hit_rate_high,
        exact(d.precision) as precision_part, exact(d.recall) as recall_part, exact(d.f1) as f1_part, exact(d.hit_rate) as hit_rate_part
    from capability_dimensions as d
    inner join sections as s on s.benchmark = d.benchmark and s.dimension = d.dimension
    where d.recall is not null
),

averaged as (
    select
        benchmark, judge, captioner, repeat, section, provenance, origin, f1_of_means,
        max(protocol) as protocol,
        max(model) as model,
        count(*) as n_dimensions,
        ratio_of(sum(precision_part), count(precision_part)) as precision_mean,
        ratio_of(sum(recall_part), count(recall_part)) as recall_mean,
        ratio_of(sum(f1_part), count(f1_part)) as f1_mean,
        ratio_of(sum(hit_rate_part), count(hit_rate_part)) as hit_rate_mean,
        case when count(precision_low) = count(*) then ratio_of(sum(exact(precision_low)), count(*)) end as precision_low_mean,
        case when count(precision_high) = count(*) then ratio_of(sum(exact(precision_high)), count(*)) end as precision_high_mean,
        case when count(recall_low) = count(*) then ratio_of(sum(exact(recall_low)), count(*)) end as recall_low_mean,
        case when count(recall_high) = count(*) then ratio_of(sum(exact(recall_high)), count(*)) end as recall_high_mean,
        case when count(f1_low) = count(*) then ratio_of(sum(exact(f1_low)), count(*)) end as f1_low_mean,
        case when count(f1_high) = count(*) then ratio_of(sum(exact(f1_high)), count(*)) end as f1_high_mean,
        case when count(hit_rate_low) = count(*) then ratio_of(sum(exact(hit_rate_low)), count(*)) end as hit_rate_low_mean,
        case when count(hit_rate_high) = count(*) then ratio_of(sum(exact(hit_rate_high)), count(*)) end as hit_rate_high_mean
    from present
    group by benchmark, judge, captioner, repeat, section, provenance, origin, f1_of_means
),

drawn as (
    select
        d.benchmark, d.judge, d.captioner, d.repeat, d.provenance, s.section, s.f1_of_means, d.draw,
        sum(exact(coalesce(percent_of(d.n_correct, d.n_hit), 0))) as precision_sum,
        sum(exact(percent_of(d.n_correct, d.n_all))) as recall_sum,
        sum(exact(percent_of(2 * d.n_correct, d.n_all + d.n_hit))) as f1_sum,
        sum(exact(percent_of(d.n_hit, d.n_all))) as hit_rate_sum,
        count(*) as n_dimensions
    from capability_draws as d
    inner join sections as s on s.benchmark = d.benchmark and s.dimension = d.dimension
    where d.n_all > 0
    group by d.benchmark, d.judge, d.captioner, d.repeat, d.provenance, s.section, s.f1_of_means, d.draw
),

drawn_means as (
    select
        benchmark, judge, captioner, repeat, provenance, section, f1_of_means,
        ratio_of(precision_sum, n_dimensions) as precision_mean,
        ratio_of(recall_sum, n_dimensions) as recall_mean,
        ratio_of(f1_sum, n_dimensions) as f1_mean,
        ratio_of(hit_rate_sum, n_dimensions) as hit_rate_mean
    from drawn
),

intervals as (
    select
        benchmark, judge, captioner, repeat, provenance, section,
        quantile_of(precision_mean, 0.025) as precision_low,
        quantile_of(precision_mean, 0.975) as precision_high,
        quantile_of(recall_mean, 0.025) as recall_low,
        quantile_of(recall_mean, 0.975) as recall_high,
        quantile_of(average_f1(f1_of_means, precision_mean, recall_mean, f1_mean), 0.025) as f1_low,
        quantile_of(average_f1(f1_of_means, precision_mean, recall_mean, f1_mean), 0.975) as f1_high,
        quantile_of(hit_rate_mean, 0.025) as hit_rate_low,
        quantile_of(hit_rate_mean, 0.975) as hit_rate_high
    from drawn_means
    group by benchmark, judge, captioner, repeat, provenance, section
)

select
    a.benchmark, a.protocol, a.judge, a.captioner, a.model, a.repeat, a.section, a.provenance, a.origin, a.n_dimensions, e.n_expected,
    a.precision_mean as precision,
    case when i.precision_low < i.precision_high then i.precision_low when i.precision_low is not null
        then a.precision_low_mean end as precision_low,
    case when i.precision_low < i.precision_high then i.precision_high when i.precision_low is not null
        then a.precision_high_mean end as precision_high,
    a.recall_mean as recall,
    case when i.recall_low < i.recall_high then i.recall_low when i.recall_low is not null then a.recall_low_mean end as recall_low,
    case when i.recall_low < i.recall_high then i.recall_high when i.recall_low is not null then a.recall_high_mean end as recall_high,
    average_f1(a.f1_of_means, a.precision_mean, a.recall_mean, a.f1_mean) as f1,
    case when i.f1_low < i.f1_high then i.f1_low when i.f1_low is not null then a.f1_low_mean end as f1_low,
    case when i.f1_low < i.f1_high then i.f1_high when i.f1_low is not null then a.f1_high_mean end as f1_high,
    a.hit_rate_mean as hit_rate,
    case when i.hit_rate_low < i.hit_rate_high then i.hit_rate_low when i.hit_rate_low is not null
        then a.hit_rate_low_mean end as hit_rate_low,
    case when i.hit_rate_low < i.hit_rate_high then i.hit_rate_high when i.hit_rate_low is not null
        then a.hit_rate_high_mean end as hit_rate_high
from averaged as a
inner join expected as e on e.benchmark = a.benchmark and e.section = a.section
left join intervals as i
    on a.origin = 'judgments' and i.benchmark = a.benchmark and i.judge = a.judge and i.captioner = a.captioner
    and i.repeat = a.repeat and i.provenance = a.provenance and i.section = a.section;

-- audit: no_more_than_expected: a section cannot have more dimensions than the rubric gives it
select benchmark, captioner, section, n_dimensions, n_expected
from capability_averages
where n_dimensions > n_expected;

-- audit: interval_has_width: as many elements as there may be, an interval is no point
select benchmark, judge, captioner, section, precision_low, precision_high, recall_low, recall_high, f1_low, f1_high, hit_rate_low,
    hit_rate_high
from capability_averages
where precision_low >= precision_high or recall_low >= recall_high or f1_low >= f1_high or hit_rate_low >= hit_rate_high;
