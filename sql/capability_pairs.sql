-- model: capability_pairs
-- what: the difference between every two captioners in every dimension and on average, paired by media file
-- grain: one row per benchmark, judge, repeat, provenance, ordered pair of captioners, dimension and metric
-- key: [benchmark, judge, repeat, provenance, captioner, other, dimension, metric]
-- inputs: [capability_draw_figures, capability_figures]
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

with differences as (
    select
        benchmark, judge, repeat, provenance, a.captioner, b.captioner as other, section, metric,
        a.figure - b.figure as difference
    from capability_figures as a
    inner join capability_figures as b using (benchmark, judge, repeat, provenance, origin, section, metric)
    where a.captioner < b.captioner and origin = 'judgments' and a.kind <> 'part'
        and a.n_dimensions = a.n_expected and b.n_dimensions = b.n_expected
),

gaps as (
    select
        benchmark, judge, repeat, provenance, a.captioner, b.captioner as other, section, metric,
        metric_value(metric, a.precision - b.precision, a.recall - b.recall, a.f1 - b.f1, a.hit_rate - b.hit_rate) as gap
    from capability_draw_figures as a
    inner join capability_draw_figures as b using (benchmark, judge, repeat, provenance, section, draw)
    cross join rubric_metrics() as m
    where a.captioner < b.captioner and a.kind <> 'part' and a.complete and b.complete
),

drawn as (
    select
        benchmark, judge, repeat, provenance, captioner, other, section, metric, count(*) as n_draws,
        quantile_of(gap, 0.025) as low, quantile_of(gap, 0.975) as high,
        sum(case when gap <= 0 then 1 else 0 end) as n_not_above, sum(case when gap >= 0 then 1 else 0 end) as n_not_below
    from gaps
    group by benchmark, judge, repeat, provenance, captioner, other, section, metric
)

select
    benchmark, judge, repeat, provenance, captioner, other, section as dimension, metric, difference, low, high,
    least(1.0, 2.0 * (1 + least(n_not_above, n_not_below)) / (1 + n_draws)) as p_value
from differences
inner join drawn using (benchmark, judge, repeat, provenance, captioner, other, section, metric);

-- audit: one_way_round: each pair stands once, so that nobody counts a comparison twice
select benchmark, judge, captioner, other, dimension, metric
from capability_pairs
where captioner >= other;
