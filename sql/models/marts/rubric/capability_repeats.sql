-- what: how far the figures of one captioner lie apart when the same judge repeats its judgments; figures of two repetitions at least
-- key: [benchmark, judge, captioner, provenance, dimension, metric]
-- source: CAPability Figure 7 and section 4.3
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   judge:
--   captioner: [varchar, model_id whose captions were judged]
--   provenance:
--   dimension: [varchar, "dimension, or average"]
--   metric: [varchar, [precision, recall, f1, hit_rate]]
--   n_repeats: [bigint, count, 2.., repetitions]
--   mean: [double, percent, 0..100, mean over the repetitions]
--   lowest: [double, percent, least figure]
--   highest: [double, percent, greatest figure]
--   spread: [double, points, 0..100, "highest less lowest: the fluctuation range of the paper"]
-- intervals:
--   mean: given; from 1000 bootstrap draws over media files, the same for all repetitions; the mean of those of the repetitions where all
--       draws agree

with spread_out as (
    select
        condition_of(benchmark, judge, '', captioner, '', provenance) as condition_id, benchmark, judge, captioner, provenance, section,
        metric, count(*) as n_repeats, mean_of(figure) as mean, mean_of(figure_low) as mean_of_lows, mean_of(figure_high) as mean_of_highs,
        min(figure) as lowest, max(figure) as highest
    from capability_figures
    where origin = 'judgments' and kind <> 'part' and n_dimensions = n_expected and n_all > 0
    group by all
    having count(*) >= 2
),

drawn as (
    select
        condition_of(benchmark, judge, '', captioner, '', provenance) as condition_id, section, metric, draw,
        mean_of(metric_value(metric, precision, recall, f1, hit_rate)) as figure
    from capability_draw_figures
    cross join rubric_metrics() as m
    where kind <> 'part' and complete and condition_id in (select condition_id from spread_out)
    group by all
),

ends as (
    select condition_id, section, metric, quantile_of(figure, 0.025) as low, quantile_of(figure, 0.975) as high
    from drawn
    group by condition_id, section, metric
)

select
    benchmark, judge, captioner, provenance, section as dimension, metric, n_repeats, mean,
    case when low < high then low when low is not null then mean_of_lows end as mean_low,
    case when low < high then high when low is not null then mean_of_highs end as mean_high,
    lowest, highest, highest - lowest as spread
from spread_out
left join ends using (condition_id, section, metric);
