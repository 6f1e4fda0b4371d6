-- model: capability_repeats
-- what: how far the figures of one captioner lie apart when the same judge repeats its judgments
-- grain: one row per benchmark, judge, captioner, provenance, dimension or average, and metric with at least two repetitions
-- key: benchmark, judge, captioner, provenance, dimension, metric
-- inputs: capability_dimensions, capability_averages
-- source: CAPability Figure 7 and section 4.3
-- columns:
--   benchmark   varchar  -        capability or cv-capbench
--   judge       varchar  -        model_id of the judge
--   captioner   varchar  -        model_id whose captions were judged
--   provenance  varchar  -        published, measured or simulated
--   dimension   varchar  -        dimension, or average
--   metric      varchar  -        precision, recall, f1 or hit_rate
--   n_repeats   bigint   count    repetitions
--   mean        double   percent  mean over the repetitions
--   lowest      double   percent  least figure
--   highest     double   percent  greatest figure
--   spread      double   points   highest less lowest: the fluctuation range of the paper
-- checks:
--   metric in precision, recall, f1, hit_rate
--   n_repeats >= 2
--   spread between 0 and 100

with metrics (metric) as (
    values ('precision'), ('recall'), ('f1'), ('hit_rate')
),

figures as (
    select benchmark, judge, captioner, provenance, dimension, precision, recall, f1, hit_rate
    from capability_dimensions
    where origin = 'judgments' and recall is not null
    union all
    select benchmark, judge, captioner, provenance, 'average' as dimension, precision, recall, f1, hit_rate
    from capability_averages
    where origin = 'judgments' and section = 'all' and n_dimensions = n_expected
),

named as (
    select
        f.benchmark, f.judge, f.captioner, f.provenance, f.dimension, n.metric,
        metric_value(n.metric, f.precision, f.recall, f.f1, f.hit_rate) as figure
    from figures as f
    cross join metrics as n
),

spread_out as (
    select
        benchmark, judge, captioner, provenance, dimension, metric,
        count(*) as n_repeats,
        ratio_of(sum(exact(figure)), count(*)) as mean,
        min(figure) as lowest,
        max(figure) as highest
    from named
    group by benchmark, judge, captioner, provenance, dimension, metric
    having count(*) >= 2
)

select
    cast(benchmark as varchar) as benchmark,
    cast(judge as varchar) as judge,
    cast(captioner as varchar) as captioner,
    cast(provenance as varchar) as provenance,
    cast(dimension as varchar) as dimension,
    cast(metric as varchar) as metric,
    cast(n_repeats as bigint) as n_repeats,
    cast(mean as double) as mean,
    cast(lowest as double) as lowest,
    cast(highest as double) as highest,
    cast(highest - lowest as double) as spread
from spread_out;
