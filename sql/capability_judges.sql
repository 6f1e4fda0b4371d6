-- model: capability_judges
-- what: how far two judges agree on the same captioners: mean difference of their figures, and rank correlation of the captioners
-- grain: one row per benchmark, provenance, ordered pair of judges, dimension or average, and metric; repetitions averaged
-- key: benchmark, provenance, judge, other, dimension, metric
-- inputs: capability_dimensions, capability_averages
-- source: CAPability Figure A1 and appendix A.2
-- columns:
--   benchmark     varchar  -            capability or cv-capbench
--   provenance    varchar  -            published, measured or simulated
--   judge         varchar  -            model_id of one judge, the earlier by name
--   other         varchar  -            model_id of the other
--   dimension     varchar  -            dimension, or average
--   metric        varchar  -            precision, recall, f1 or hit_rate
--   n_captioners  bigint   count        captioners that both judged
--   difference    double   points       mean over the captioners of the figure by judge less that by other
--   spearman      double   correlation  rank correlation of the captioners' figures, ties at their mean rank; null for fewer than three captioners or when all are tied
-- checks:
--   metric in precision, recall, f1, hit_rate
--   n_captioners >= 1
--   difference between -100 and 100
--   spearman between -1 and 1

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
        ratio_of(sum(exact(metric_value(n.metric, f.precision, f.recall, f.f1, f.hit_rate))), count(*)) as figure
    from figures as f
    cross join metrics as n
    group by f.benchmark, f.judge, f.captioner, f.provenance, f.dimension, n.metric
),

both_judges as (
    select
        a.benchmark, a.provenance, a.judge, b.judge as other, a.dimension, a.metric, a.captioner,
        a.figure as figure_a, b.figure as figure_b
    from named as a
    inner join named as b
        on b.benchmark = a.benchmark and b.provenance = a.provenance and b.captioner = a.captioner
        and b.dimension = a.dimension and b.metric = a.metric and b.judge > a.judge
),

-- The mean rank of tied figures is their first place plus half of how many more share it.
ranked as (
    select
        benchmark, provenance, judge, other, dimension, metric, figure_a, figure_b,
        rank() over (partition by benchmark, provenance, judge, other, dimension, metric order by figure_a)
            + (count(*) over (partition by benchmark, provenance, judge, other, dimension, metric, figure_a) - 1) / 2.0 as rank_a,
        rank() over (partition by benchmark, provenance, judge, other, dimension, metric order by figure_b)
            + (count(*) over (partition by benchmark, provenance, judge, other, dimension, metric, figure_b) - 1) / 2.0 as rank_b
    from both_judges
),

agreement as (
    select
        benchmark, provenance, judge, other, dimension, metric,
        count(*) as n_captioners,
        ratio_of(sum(exact(figure_a) - exact(figure_b)), count(*)) as difference,
        case when count(*) >= 3 and min(rank_a) < max(rank_a) and min(rank_b) < max(rank_b) then corr(rank_a, rank_b) end as spearman
    from ranked
    group by benchmark, provenance, judge, other, dimension, metric
)

select
    cast(benchmark as varchar) as benchmark,
    cast(provenance as varchar) as provenance,
    cast(judge as varchar) as judge,
    cast(other as varchar) as other,
    cast(dimension as varchar) as dimension,
    cast(metric as varchar) as metric,
    cast(n_captioners as bigint) as n_captioners,
    cast(difference as double) as difference,
    cast(round(spearman, 12) as double) as spearman
from agreement;
