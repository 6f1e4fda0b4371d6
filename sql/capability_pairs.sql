-- model: capability_pairs
-- what: differences between captioners, paired by media file, in every dimension and on average
-- grain: one row per benchmark, judge, repeat, provenance, ordered pair of captioners, dimension and metric
-- key: [benchmark, judge, repeat, provenance, captioner, other, dimension, metric]
-- inputs: [capability_draw_figures, capability_dimensions, capability_averages]
-- source: none; the same 1000 bootstrap draws serve both captioners, so that the difference is paired by media file
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   judge: [varchar, model_id of the judge]
--   repeat: [bigint, count, "number of the repetition, from 0"]
--   provenance: [varchar, "published, measured or simulated"]
--   captioner: [varchar, "model_id of one captioner, the earlier by name"]
--   other: [varchar, model_id of the other]
--   dimension: [varchar, "dimension, or average over those of the paper's tables"]
--   metric: [varchar, [precision, recall, f1, hit_rate]]
--   difference: [double, points, -100..100, figure of captioner less that of other]
--   low: [double, points, -100..100, lower end of the 95 % interval of the difference]
--   high: [double, points, -100..100, upper end]
--   p_value: [double, share, 0..1, "two-sided: twice the smaller share of draws on one side of zero, ties on both, one draw added; no
--       correction for many comparisons"]

with metrics (metric) as (
    values ('precision'), ('recall'), ('f1'), ('hit_rate')
),

drawn as (
    select benchmark, judge, captioner, repeat, provenance, dimension, draw, precision, recall, f1, hit_rate
    from capability_draw_figures
),

figures as (
    select benchmark, judge, captioner, repeat, provenance, dimension, precision, recall, f1, hit_rate
    from capability_dimensions
    where origin = 'judgments' and recall is not null
    union all
    select benchmark, judge, captioner, repeat, provenance, 'average' as dimension, precision, recall, f1, hit_rate
    from capability_averages
    where origin = 'judgments' and section = 'all' and n_dimensions = n_expected
),

differences as (
    select
        a.benchmark, a.judge, a.repeat, a.provenance, a.captioner, b.captioner as other, a.dimension, n.metric,
        metric_value(n.metric, a.precision - b.precision, a.recall - b.recall, a.f1 - b.f1, a.hit_rate - b.hit_rate) as gap
    from drawn as a
    inner join drawn as b
        on b.benchmark = a.benchmark and b.judge = a.judge and b.repeat = a.repeat and b.provenance = a.provenance
        and b.dimension = a.dimension and b.draw = a.draw and b.captioner > a.captioner
    cross join metrics as n
),

intervals as (
    select
        benchmark, judge, repeat, provenance, captioner, other, dimension, metric,
        quantile_of(gap, 0.025) as low,
        quantile_of(gap, 0.975) as high,
        least(1.0, 2.0 * (1 + least(sum(case when gap <= 0 then 1 else 0 end), sum(case when gap >= 0 then 1 else 0 end))) / (1
            + count(*))) as p_value
    from differences
    group by benchmark, judge, repeat, provenance, captioner, other, dimension, metric
)

select
    i.benchmark, i.judge, i.repeat, i.provenance, i.captioner, i.other, i.dimension, i.metric,
    metric_value(i.metric, a.precision - b.precision, a.recall - b.recall, a.f1 - b.f1, a.hit_rate - b.hit_rate) as difference,
    i.low, i.high, i.p_value
from intervals as i
inner join figures as a
    on a.benchmark = i.benchmark and a.judge = i.judge and a.repeat = i.repeat and a.provenance = i.provenance
    and a.dimension = i.dimension and a.captioner = i.captioner
inner join figures as b
    on b.benchmark = i.benchmark and b.judge = i.judge and b.repeat = i.repeat and b.provenance = i.provenance
    and b.dimension = i.dimension and b.captioner = i.other;

-- audit: one_way_round: each pair stands once, so that nobody counts a comparison twice
select benchmark, judge, captioner, other, dimension, metric
from capability_pairs
where captioner >= other;
