-- model: capability_repeats
-- what: how far the figures of one captioner lie apart when the same judge repeats its judgments
-- grain: one row per benchmark, judge, captioner, provenance, dimension or average, and metric with at least two repetitions
-- key: [benchmark, judge, captioner, provenance, dimension, metric]
-- inputs: [capability_dimensions, capability_averages, capability_draw_figures]
-- source: CAPability Figure 7 and section 4.3
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   judge: [varchar, model_id of the judge]
--   captioner: [varchar, model_id whose captions were judged]
--   provenance: [varchar, "published, measured or simulated"]
--   dimension: [varchar, "dimension, or average"]
--   metric: [varchar, [precision, recall, f1, hit_rate]]
--   n_repeats: [bigint, count, 2.., repetitions]
--   mean: [double, percent, 0..100, mean over the repetitions]
--   lowest: [double, percent, least figure]
--   highest: [double, percent, greatest figure]
--   spread: [double, points, 0..100, "highest less lowest: the fluctuation range of the paper"]
-- intervals:
--   mean: given(0, 100); from 1000 bootstrap draws over media files, the same for all repetitions; the mean of those of the repetitions
--       where all draws agree

with metrics (metric) as (
    values ('precision'), ('recall'), ('f1'), ('hit_rate')
),

figures as (
    select
        benchmark, judge, captioner, provenance, dimension, precision, recall, f1, hit_rate,
        precision_low, precision_high, recall_low, recall_high, f1_low, f1_high, hit_rate_low, hit_rate_high
    from capability_dimensions
    where origin = 'judgments' and recall is not null
    union all
    select
        benchmark, judge, captioner, provenance, 'average' as dimension, precision, recall, f1, hit_rate,
        precision_low, precision_high, recall_low, recall_high, f1_low, f1_high, hit_rate_low, hit_rate_high
    from capability_averages
    where origin = 'judgments' and section = 'all' and n_dimensions = n_expected
),

named as (
    select
        f.benchmark, f.judge, f.captioner, f.provenance, f.dimension, n.metric,
        metric_value(n.metric, f.precision, f.recall, f.f1, f.hit_rate) as figure,
        metric_value(n.metric, f.precision_low, f.recall_low, f.f1_low, f.hit_rate_low) as figure_low,
        metric_value(n.metric, f.precision_high, f.recall_high, f.f1_high, f.hit_rate_high) as figure_high
    from figures as f
    cross join metrics as n
),

spread_out as (
    select
        benchmark, judge, captioner, provenance, dimension, metric,
        count(*) as n_repeats,
        ratio_of(sum(exact(figure)), count(*)) as mean,
        ratio_of(sum(exact(figure_low)), count(figure_low)) as low_mean,
        ratio_of(sum(exact(figure_high)), count(figure_high)) as high_mean,
        min(figure) as lowest,
        max(figure) as highest
    from named
    group by benchmark, judge, captioner, provenance, dimension, metric
    having count(*) >= 2
),

repeated as (
    select distinct benchmark, judge, captioner, provenance
    from spread_out
),

drawn_figures as (
    select
        d.benchmark, d.judge, d.captioner, d.provenance, d.dimension, n.metric, d.draw,
        ratio_of(sum(exact(metric_value(n.metric, d.precision, d.recall, d.f1, d.hit_rate))), count(*)) as figure
    from capability_draw_figures as d
    inner join repeated as t on t.benchmark = d.benchmark and t.provenance = d.provenance and t.captioner = d.captioner
        and t.judge = d.judge
    cross join metrics as n
    group by d.benchmark, d.judge, d.captioner, d.provenance, d.dimension, n.metric, d.draw
),

intervals as (
    select
        benchmark, judge, captioner, provenance, dimension, metric,
        quantile_of(figure, 0.025) as mean_low, quantile_of(figure, 0.975) as mean_high
    from drawn_figures
    group by benchmark, judge, captioner, provenance, dimension, metric
)

select
    s.benchmark, s.judge, s.captioner, s.provenance, s.dimension, s.metric, s.n_repeats, s.mean,
    case when i.mean_low < i.mean_high then i.mean_low when i.mean_low is not null then s.low_mean end as mean_low,
    case when i.mean_low < i.mean_high then i.mean_high when i.mean_low is not null then s.high_mean end as mean_high,
    s.lowest, s.highest,
    s.highest - s.lowest as spread
from spread_out as s
left join intervals as i
    on i.benchmark = s.benchmark and i.judge = s.judge and i.captioner = s.captioner and i.provenance = s.provenance
    and i.dimension = s.dimension and i.metric = s.metric;

-- audit: interval_in_order: the lower end of an interval is below the upper one
select benchmark, judge, captioner, dimension, metric, mean_low, mean_high
from capability_repeats
where mean_low >= mean_high;
