-- what: numbers of the tables of CAPability and CV-CapBench that contradict each other
-- key: [benchmark, check_name, item, model, category, metric]
-- source: CAPability Tables 3 to 6; CV-CapBench Tables 2 and 3
-- columns:
--   benchmark, check_name, item, model:
--   category: [varchar, dimension or average]
--   metric: [varchar, figure that the finding is about]
--   kind, printed, expected, message, provenance:

with rubric as (
    select benchmark, item, model, category, metric, value, 0.5 / pow(10, decimals) as half_unit
    from published
    where benchmark in ('capability', 'cv-capbench') and item like 'Table %'
        and metric in ('precision', 'recall', 'f1', 'hit_rate', 'qa_accuracy', 'know_but_cannot_tell')
),

-- With P(recision), R(ecall) and H(it rate) of one model and dimension, R = P x H and F1 = 2PR / (P + R).
cells as (
    select
        benchmark, model, category, max(half_unit) as half_unit,
        max(case when metric = 'precision' then item end) as item,
        printed_value(metric, 'precision', value) as p, printed_value(metric, 'recall', value) as r,
        printed_value(metric, 'f1', value) as f1, printed_value(metric, 'hit_rate', value) as h
    from rubric
    where metric in ('precision', 'recall', 'f1', 'hit_rate')
    group by benchmark, model, category
),

-- Ends that the printed figures allow, when each may be off by half a unit of its last digit.
bounds as (
    select
        benchmark, item, model, category, half_unit, 'f1' as metric, f1 as printed,
        2 * p * r / nullif(p + r, 0) as expected,
        2 * (p - half_unit) * (r - half_unit) / nullif(p + r - 2 * half_unit, 0) as low,
        2 * (p + half_unit) * (r + half_unit) / nullif(p + r + 2 * half_unit, 0) as high,
        format('F1 is printed as {}; precision {} and recall {} give {:.2f}', f1, p, r, expected) as message
    from cells
    union all
    select
        benchmark, item, model, category, half_unit, 'recall', r, p * h / 100 as expected,
        (p - half_unit) * (h - half_unit) / 100, (p + half_unit) * (h + half_unit) / 100,
        format('recall is printed as {}; precision {} at a hit rate of {} gives {:.2f}', r, p, h, expected)
    from cells
),

averages as (
    select
        benchmark, m.item, model, m.metric, m.printed, m.expected, m.half_unit,
        m.metric = 'f1' and abs(m.printed - 2 * c.p * c.r / nullif(c.p + c.r, 0)) <= 2 * m.half_unit + 1e-9
            as is_f1_of_averages
    from (
        select
            benchmark, item, model, metric, max(half_unit) as half_unit,
            max(case when category = 'average' then value end) as printed,
            avg(case when category <> 'average' then value end) as expected
        from rubric
        group by benchmark, item, model, metric
    ) as m
    left join (select * from cells where category = 'average') as c using (benchmark, model)
)

-- If a check has two kinds, the kind rounding means that rounding alone explains the difference.
select
    benchmark, metric || '_against_its_parts' as check_name, item, model, category, metric,
    case when printed between low - 3 * half_unit and high + 3 * half_unit then 'rounding' else 'contradiction' end
        as kind,
    printed, expected, message, 'published' as provenance
from bounds
where category <> 'average' and (printed + half_unit < low - 1e-9 or printed - half_unit > high + 1e-9)
union all
-- Half a unit is for the rounding of the average.
select
    benchmark, 'average_against_dimension_mean', item, model, 'average', metric,
    case when is_f1_of_averages then 'wording' when abs(printed - expected) <= 4 * half_unit + 1e-9 then 'rounding'
        else 'contradiction' end,
    printed, expected,
    format('the average is printed as {}; the mean of the dimensions is {:.2f}{}', printed, expected,
        case when is_f1_of_averages then ', and what is printed is the F1 of the average precision and recall'
            else '' end),
    'published'
from averages
where abs(printed - expected) > half_unit + 1e-9;
