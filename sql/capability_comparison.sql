-- model: capability_comparison
-- what: the papers' figures beside those computed from judgments, cell by cell, with the reason of a difference where it can be known
-- grain: "one row per printed figure and judged captioner: benchmark, judge, captioner, repeat, provenance, dimension and metric"
-- key: [benchmark, judge, captioner, repeat, provenance, dimension, metric]
-- inputs: [capability_dimensions, capability_averages, capability_rubric, published]
-- source: CAPability Tables 3, 4 and 5; CV-CapBench Tables 2 and 3
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   judge: [varchar, model_id of the judge of the judgments]
--   paper_judge: [boolean, "it is the paper's judge, so that the figures should agree"]
--   captioner: [varchar, model_id whose captions were judged]
--   model: [varchar, name of the captioner to show to people]
--   repeat: [bigint, count, "number of the repetition, from 0"]
--   provenance: [varchar, [measured, simulated, published], "measured or simulated: that of the judgments"]
--   dimension: [varchar, not null, "dimension, or average"]
--   metric: [varchar, [precision, recall, f1, hit_rate]]
--   item: [varchar, table of the paper]
--   printed: [double, percent, figure of the paper]
--   computed: [double, percent, 0..100, "figure from the judgments, unrounded"]
--   difference: [double, points, computed less printed]
--   agrees: [boolean, the computed figure rounds to the printed one]
--   n_missing: [bigint, count, "annotated elements without a verdict, which the paper's run may have had"]
--   reason: [varchar, "what explains the difference: rounded twice; F1 of rounded precision and recall; missing judgments; null when
--       nothing does or none is needed"]
-- intervals:
--   computed: given; as in capability_dimensions and capability_averages

with metrics (metric) as (
    values ('precision'), ('recall'), ('f1'), ('hit_rate')
),

rubric as (
    select benchmark, cast(max(decimals) as integer) as decimals, max(paper_judge) as paper_judge
    from capability_rubric
    group by benchmark
),

printed as (
    select
        benchmark, coalesce(nullif(model_id, ''), model) as captioner, category as dimension, metric,
        max(item) as item, max(value) as printed
    from published
    where benchmark in ('capability', 'cv-capbench') and source = 'paper' and metric in ('precision', 'recall', 'f1', 'hit_rate')
    group by benchmark, coalesce(nullif(model_id, ''), model), category, metric
),

-- lowest and highest: what the figure could be had the elements without a verdict been judged.
cells as (
    select
        d.benchmark, d.judge, d.captioner, d.model, d.repeat, d.provenance, d.dimension, n.metric,
        metric_value(n.metric, d.precision, d.recall, d.f1, d.hit_rate) as computed,
        metric_value(n.metric, d.precision_low, d.recall_low, d.f1_low, d.hit_rate_low) as computed_low,
        metric_value(n.metric, d.precision_high, d.recall_high, d.f1_high, d.hit_rate_high) as computed_high,
        d.n_annotated - d.n_all as n_missing,
        case n.metric
            when 'precision' then percent_of(d.n_correct, d.n_hit + d.n_annotated - d.n_all)
            when 'recall' then percent_of(d.n_correct, d.n_annotated)
            when 'f1' then percent_of(2 * d.n_correct, d.n_annotated + d.n_hit + d.n_annotated - d.n_all)
            else percent_of(d.n_hit, d.n_annotated)
        end as lowest,
        case n.metric
            when 'precision' then percent_of(d.n_correct + d.n_annotated - d.n_all, d.n_hit + d.n_annotated - d.n_all)
            when 'recall' then percent_of(d.n_correct + d.n_annotated - d.n_all, d.n_annotated)
            when 'f1' then percent_of(2 * (d.n_correct + d.n_annotated - d.n_all), d.n_annotated + d.n_hit + d.n_annotated - d.n_all)
            else percent_of(d.n_hit + d.n_annotated - d.n_all, d.n_annotated)
        end as highest
    from capability_dimensions as d
    cross join metrics as n
    where d.origin = 'judgments' and d.recall is not null
),

average_bounds as (
    select
        c.benchmark, c.judge, c.captioner, c.repeat, c.provenance, c.metric,
        sum(c.n_missing) as n_missing,
        ratio_of(sum(exact(c.lowest)), count(*)) as lowest,
        ratio_of(sum(exact(c.highest)), count(*)) as highest
    from cells as c
    inner join capability_rubric as r on r.benchmark = c.benchmark and r.dimension = c.dimension and r.in_tables
    where c.metric <> 'f1' or not r.f1_of_means
    group by c.benchmark, c.judge, c.captioner, c.repeat, c.provenance, c.metric
),

averages as (
    select
        a.benchmark, a.judge, a.captioner, a.model, a.repeat, a.provenance, 'average' as dimension, n.metric,
        metric_value(n.metric, a.precision, a.recall, a.f1, a.hit_rate) as computed,
        metric_value(n.metric, a.precision_low, a.recall_low, a.f1_low, a.hit_rate_low) as computed_low,
        metric_value(n.metric, a.precision_high, a.recall_high, a.f1_high, a.hit_rate_high) as computed_high
    from capability_averages as a
    cross join metrics as n
    where a.origin = 'judgments' and a.section = 'all' and a.n_dimensions = a.n_expected
),

cells_and_averages as (
    select
        benchmark, judge, captioner, model, repeat, provenance, dimension, metric, computed, computed_low, computed_high,
        n_missing, lowest, highest
    from cells
    union all
    select
        a.benchmark, a.judge, a.captioner, a.model, a.repeat, a.provenance, a.dimension, a.metric,
        a.computed, a.computed_low, a.computed_high,
        b.n_missing, b.lowest, b.highest
    from averages as a
    left join average_bounds as b
        on b.benchmark = a.benchmark and b.judge = a.judge and b.captioner = a.captioner and b.repeat = a.repeat
        and b.provenance = a.provenance and b.metric = a.metric
),

compared as (
    select
        c.benchmark, c.judge, r.paper_judge, c.captioner, c.model, c.repeat, c.provenance, c.dimension, c.metric,
        p.item, p.printed, c.computed, c.computed_low, c.computed_high, c.n_missing, c.lowest, c.highest,
        -- Half a unit of the last printed digit; the little more is for decimals that have no exact binary form.
        0.5 * power(10, -r.decimals) + 0.000000001 as tolerance,
        round(round(c.computed, r.decimals + 1), r.decimals) as rounded_twice,
        f.printed as printed_precision,
        g.printed as printed_recall
    from cells_and_averages as c
    inner join printed as p
        on p.benchmark = c.benchmark and p.captioner = c.captioner and p.dimension = c.dimension and p.metric = c.metric
    inner join rubric as r on r.benchmark = c.benchmark
    left join printed as f
        on f.benchmark = c.benchmark and f.captioner = c.captioner and f.dimension = c.dimension and f.metric = 'precision'
    left join printed as g
        on g.benchmark = c.benchmark and g.captioner = c.captioner and g.dimension = c.dimension and g.metric = 'recall'
),

explained as (
    select
        benchmark, judge, paper_judge, captioner, model, repeat, provenance, dimension, metric, item, printed, computed,
        computed_low, computed_high, n_missing,
        abs(computed - printed) <= tolerance as agrees,
        case when abs(rounded_twice - printed) <= 0.000000001 then 'rounded twice' end as first_reason,
        case
            when metric = 'f1' and printed_precision + printed_recall > 0
                and abs(2 * printed_precision * printed_recall / (printed_precision + printed_recall) - printed) <= tolerance
                then 'F1 of rounded precision and recall'
        end as second_reason,
        case when n_missing > 0 and printed between lowest - tolerance and highest + tolerance then 'missing judgments' end as third_reason
    from compared
)

select
    benchmark, judge,
    judge = paper_judge as paper_judge,
    captioner, model, repeat, provenance, dimension, metric, item, printed, computed, computed_low, computed_high,
    computed - printed as difference,
    agrees, n_missing,
    case when not agrees then nullif(concat_ws(' or ', first_reason, second_reason, third_reason), '') end as reason
from explained;

-- audit: agreement_needs_no_reason: a reason beside figures that agree would explain nothing
select benchmark, captioner, dimension, metric, printed, computed, reason
from capability_comparison
where agrees and reason is not null or abs(difference) > 0.1 and agrees;
