-- what: "how far two judges agree on the same captioners: mean difference of their figures, and rank correlation of
--     the captioners; repetitions averaged"
-- key: [benchmark, provenance, judge, other, dimension, metric]
-- source: CAPability Figure A1 and appendix A.2
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   provenance:
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

-- Captioners that at least two judges have judged.
with judged_twice as (
    select benchmark, provenance, captioner
    from capability_figures
    where origin = 'judgments'
    group by benchmark, provenance, captioner
    having count(distinct judge) >= 2
),

-- The figures stand beside those of the draws as draw -1.
figures as (
    select benchmark, judge, captioner, provenance, section, metric, -1 as draw, mean_of(figure) as figure
    from capability_figures
    inner join judged_twice using (benchmark, provenance, captioner)
    where origin = 'judgments' and kind <> 'part' and n_dimensions = n_expected and n_all > 0
    group by all
    union all
    select
        benchmark, judge, captioner, provenance, section, metric, draw,
        mean_of(metric_value(metric, precision, recall, f1, hit_rate)) as figure
    from capability_draw_figures
    inner join judged_twice using (benchmark, provenance, captioner)
    cross join rubric_metrics() as m
    where kind <> 'part' and complete
    group by all
),

identified as (
    select *, condition_of(benchmark, metric, section, captioner, '', provenance) as compared_id
    from figures
),

both_judges as (
    select
        a.benchmark, a.provenance, a.judge, b.judge as other, a.section, a.metric, draw, a.figure as figure_a, b.figure as figure_b
    from identified as a
    inner join identified as b using (compared_id, draw)
    where a.judge < b.judge
),

-- The mean rank of tied figures is halfway between their first and their last place.
ranked as (
    select
        *, (rank() over by_a + count(*) over by_a) / 2.0 as rank_a, (rank() over by_b + count(*) over by_b) / 2.0 as rank_b
    from both_judges
    window
        by_a as (partition by benchmark, provenance, judge, other, section, metric, draw order by figure_a),
        by_b as (partition by benchmark, provenance, judge, other, section, metric, draw order by figure_b)
),

agreement as (
    select
        benchmark, provenance, judge, other, section, metric, draw, count(*) as n_captioners,
        ratio_of(sum(exact(figure_a) - exact(figure_b)), count(*)) as difference,
        case when count(*) >= 3 and min(rank_a) < max(rank_a) and min(rank_b) < max(rank_b)
            then round(corr(rank_a, rank_b), 12) end as spearman
    from ranked
    group by all
)

select
    benchmark, provenance, judge, other, section as dimension, metric, max(n_captioners) filter (where draw = -1) as n_captioners,
    max(difference) filter (where draw = -1) as difference, quantile_of(case when draw >= 0 then difference end, 0.025) as difference_low,
    quantile_of(case when draw >= 0 then difference end, 0.975) as difference_high, max(spearman) filter (where draw = -1) as spearman,
    case when max(spearman) filter (where draw = -1) is not null then quantile_of(case when draw >= 0 then spearman end, 0.025)
        end as spearman_low,
    case when max(spearman) filter (where draw = -1) is not null then quantile_of(case when draw >= 0 then spearman end, 0.975)
        end as spearman_high
from agreement
group by all
having count(*) filter (where draw = -1) > 0;
