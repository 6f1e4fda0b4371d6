-- model: capability_judges
-- what: "how far two judges agree on the same captioners: mean difference of their figures, and rank correlation of the captioners"
-- grain: one row per benchmark, provenance, ordered pair of judges, dimension or average, and metric; repetitions averaged
-- key: [benchmark, provenance, judge, other, dimension, metric]
-- inputs: [capability_dimensions, capability_averages, capability_draw_figures]
-- source: CAPability Figure A1 and appendix A.2
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   provenance: [varchar, "published, measured or simulated"]
--   judge: [varchar, "model_id of one judge, the earlier by name"]
--   other: [varchar, model_id of the other]
--   dimension: [varchar, "dimension, or average"]
--   metric: [varchar, [precision, recall, f1, hit_rate]]
--   n_captioners: [bigint, count, 1.., captioners that both judged]
--   difference: [double, points, -100..100, mean over the captioners of the figure by judge less that by other]
--   spearman: [double, correlation, -1..1, "rank correlation of the captioners' figures, ties at their mean rank; null for fewer than three
--       captioners or when all are tied"]
-- intervals:
--   difference: given; from 1000 bootstrap draws over media files, the same for both judges
--   spearman: given; from the same draws, those in which all captioners are tied left out

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

-- Captioners that at least two judges have judged.
judged_twice as (
    select benchmark, provenance, captioner
    from figures
    group by benchmark, provenance, captioner
    having count(distinct judge) >= 2
),

drawn_figures as (
    select
        d.benchmark, d.judge, d.captioner, d.provenance, d.dimension, n.metric, d.draw,
        ratio_of(sum(exact(metric_value(n.metric, d.precision, d.recall, d.f1, d.hit_rate))), count(*)) as figure
    from capability_draw_figures as d
    inner join judged_twice as t on t.benchmark = d.benchmark and t.provenance = d.provenance and t.captioner = d.captioner
    cross join metrics as n
    group by d.benchmark, d.judge, d.captioner, d.provenance, d.dimension, n.metric, d.draw
),

drawn_pairs as (
    select
        a.benchmark, a.provenance, a.judge, b.judge as other, a.dimension, a.metric, a.draw, a.figure as figure_a, b.figure as figure_b
    from drawn_figures as a
    inner join drawn_figures as b
        on b.benchmark = a.benchmark and b.provenance = a.provenance and b.captioner = a.captioner
        and b.dimension = a.dimension and b.metric = a.metric and b.draw = a.draw and b.judge > a.judge
),

drawn_ranks as (
    select
        benchmark, provenance, judge, other, dimension, metric, draw, figure_a, figure_b,
        rank() over (partition by benchmark, provenance, judge, other, dimension, metric, draw order by figure_a)
            + (count(*) over (partition by benchmark, provenance, judge, other, dimension, metric, draw, figure_a) - 1) / 2.0 as rank_a,
        rank() over (partition by benchmark, provenance, judge, other, dimension, metric, draw order by figure_b)
            + (count(*) over (partition by benchmark, provenance, judge, other, dimension, metric, draw, figure_b) - 1) / 2.0 as rank_b
    from drawn_pairs
),

drawn_agreement as (
    select
        benchmark, provenance, judge, other, dimension, metric, draw,
        ratio_of(sum(exact(figure_a) - exact(figure_b)), count(*)) as difference,
        case when count(*) >= 3 and min(rank_a) < max(rank_a) and min(rank_b) < max(rank_b) then corr(rank_a, rank_b) end as spearman
    from drawn_ranks
    group by benchmark, provenance, judge, other, dimension, metric, draw
),

intervals as (
    select
        benchmark, provenance, judge, other, dimension, metric,
        quantile_of(difference, 0.025) as difference_low,
        quantile_of(difference, 0.975) as difference_high,
        quantile_of(round(spearman, 12), 0.025) as spearman_low,
        quantile_of(round(spearman, 12), 0.975) as spearman_high
    from drawn_agreement
    group by benchmark, provenance, judge, other, dimension, metric
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
    a.benchmark, a.provenance, a.judge, a.other, a.dimension, a.metric, a.n_captioners, a.difference, i.difference_low, i.difference_high,
    round(a.spearman, 12) as spearman,
    case when a.spearman is not null then i.spearman_low end as spearman_low,
    case when a.spearman is not null then i.spearman_high end as spearman_high
from agreement as a
left join intervals as i
    on i.benchmark = a.benchmark and i.provenance = a.provenance and i.judge = a.judge and i.other = a.other
    and i.dimension = a.dimension and i.metric = a.metric;
