-- what: the papers' numbers beside the numbers computed from judgments, cell by cell, with the reason of a difference
--     where it is known
-- key: [benchmark, judge, captioner, repeat, provenance, dimension, metric]
-- source: CAPability Tables 3, 4 and 5; CV-CapBench Tables 2 and 3
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   judge: [varchar, model_id of the judge of the judgments]
--   paper_judge: [boolean, "it is the paper's judge, so that the figures should agree"]
--   captioner: [varchar, model_id whose captions were judged]
--   captioner_name, repeat:
--   provenance: [varchar, [measured, simulated, published], "measured or simulated: that of the judgments"]
--   dimension: [varchar, not null, "dimension, or average"]
--   metric: [varchar, [precision, recall, f1, hit_rate]]
--   item: [varchar, table of the paper]
--   printed: [double, percent, figure of the paper]
--   computed: [double, percent, 0..100, "figure from the judgments, unrounded"]
--   difference: [double, points, computed less printed]
--   agrees: [boolean, the computed figure rounds to the printed one]
--   n_missing: [bigint, count, "annotated elements without a verdict, which the paper's run may have had"]
--   reason: [varchar, "reason of the difference: rounded twice; F1 of rounded precision and recall; missing judgments;
--       null if the reason is unknown or there is no difference"]
-- intervals:
--   computed: given; as in capability_figures

with printed as (
    select
        key_of(benchmark, category, coalesce(nullif(model_id, ''), model)) as printed_id, metric,
        max(item) as item, max(value) as printed,
        max(case when metric = 'precision' then max(value) end) over cell as printed_precision,
        max(case when metric = 'recall' then max(value) end) over cell as printed_recall
    from published
    where source = 'paper' and metric in ('precision', 'recall', 'f1', 'hit_rate')
    group by benchmark, coalesce(nullif(model_id, ''), model), category, metric
    window cell as (partition by benchmark, coalesce(nullif(model_id, ''), model), category)
),

figures as (
    select
        *,
        key_of(benchmark, section, captioner) as printed_id
    from capability_figures
    where origin = 'judgments'
),

-- lowest and highest are the bounds of a metric if the elements without a verdict had been judged, in all dimensions of
-- an average.
bounds as (
    select
        f.condition_id, s.section, f.metric, s.f1_of_means,
        sum(f.n_annotated - f.n_all) as n_missing,
        mean_of(rubric_figure(
            f.metric, f.n_annotated, f.n_hit + case when f.metric = 'hit_rate' then 0 else f.n_annotated - f.n_all end,
            f.n_correct
        )) as lowest,
        mean_of(rubric_figure(f.metric, f.n_annotated, f.n_hit + f.n_annotated - f.n_all,
            f.n_correct + f.n_annotated - f.n_all)) as highest
    from figures as f
    inner join rubric_sections() as s on s.benchmark = f.benchmark and s.dimension = f.section
    where f.kind = 'dimension' and s.kind <> 'part' and f.n_all > 0
    group by all
),

compared as (
    select
        benchmark, f.judge, f.judge = r.paper_judge as paper_judge, f.captioner, f.captioner_name, f.repeat,
        f.provenance, section, metric, p.item, p.printed, p.printed_precision, p.printed_recall,
        max(case when metric = 'precision' then f.figure end) over cell as precision_figure,
        max(case when metric = 'recall' then f.figure end) over cell as recall_figure, f.figure, f.figure_low,
        f.figure_high,
        -- Bounds of the parts do not bound an F1 of means.
        case when metric <> 'f1' or not b.f1_of_means then b.n_missing end as n_missing, b.lowest, b.highest,
        -- Half a unit of the last printed digit; the little more is for decimals that have no exact binary form.
        0.5 * power(10, -r.decimals) + 0.000000001 as tolerance,
        round(round(f.figure, cast(r.decimals as integer) + 1), cast(r.decimals as integer)) as rounded_twice
    from figures as f
    inner join bounds as b using (condition_id, section, metric)
    inner join printed as p using (printed_id, metric)
    inner join rubric_protocols() as r using (benchmark)
    where f.n_dimensions = f.n_expected
    window cell as (partition by condition_id, section)
)

select
    benchmark, judge, paper_judge, captioner, captioner_name, repeat, provenance, section as dimension, metric, item,
    printed, figure as computed, figure_low as computed_low, figure_high as computed_high,
    figure - printed as difference, abs(figure - printed) <= tolerance as agrees, n_missing,
    case when abs(figure - printed) > tolerance then nullif(concat_ws(' or ',
        case when abs(rounded_twice - printed) <= 0.000000001 then 'rounded twice' end,
        case when metric = 'f1' and printed_precision + printed_recall > 0
            and abs(2 * printed_precision * printed_recall / (printed_precision + printed_recall) - printed)
                <= tolerance
            and abs(precision_figure - printed_precision) <= tolerance
                and abs(recall_figure - printed_recall) <= tolerance
            then 'F1 of rounded precision and recall' end,
        case when n_missing > 0 and printed between lowest - tolerance and highest + tolerance
            then 'missing judgments' end
    ), '') end as reason
from compared;

-- audit: agreement_needs_no_reason: a reason beside figures that agree would explain nothing
select benchmark, captioner, dimension, metric, printed, computed, reason
from capability_comparison
where agrees and reason is not null or abs(difference) > 0.1 and agrees;
