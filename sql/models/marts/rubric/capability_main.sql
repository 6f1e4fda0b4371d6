-- what: "the main tables of CAPability and CV-CapBench: the averages of one metric of one captioner, with its place; capability_figures has
--     the dimensions"
-- key: [benchmark, judge, captioner, repeat, metric, provenance, origin]
-- source: CAPability Tables 3, 4 and 5; CV-CapBench Tables 2 and 3
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   protocol: [varchar, metric protocol]
--   judge:
--   captioner: [varchar, model_id whose captions were judged]
--   captioner_name, repeat:
--   metric: [varchar, [precision, recall, f1, hit_rate]]
--   provenance:
--   origin: [varchar, [judgments, published]]
--   average: [double, percent, 0..100, average over the dimensions of the paper's tables; null unless all are present]
--   average_static: [double, percent, average over the static dimensions; null unless all are present]
--   average_dynamic: [double, percent, average over the dynamic dimensions; null unless all are present]
--   average_printed: [double, percent, average that the paper prints; null when it prints none]
--   rank: [bigint, rank, 1.., "place by average within benchmark, judge, repeat, metric, provenance and origin; null without average"]
--   n_dimensions: [bigint, count, dimensions of the paper's tables that are present]
--   n_all: [bigint, count, elements judged; null for printed rows]
--   n_unparsed: [bigint, count, elements whose judgment cannot be read; null for printed rows]
--   n_failed: [bigint, count, elements that the judge gave no reply about; null for printed rows]
--   n_missing: [bigint, count, annotated elements without any judgment; null for printed rows]
-- intervals:
--   average, average_static, average_dynamic: given; as in capability_figures; null for printed rows

with figures as (
    select
        benchmark, judge, captioner, captioner_name, repeat, metric, provenance, origin, section, kind, n_dimensions,
        case when n_dimensions = n_expected then figure end as figure,
        case when n_dimensions = n_expected then figure_low end as low,
        case when n_dimensions = n_expected then figure_high end as high,
        case when kind = 'dimension' then n_all end as n_all,
        case when kind = 'dimension' then n_unparsed end as n_unparsed,
        case when kind = 'dimension' then n_failed end as n_failed,
        case when kind = 'dimension' then n_annotated - n_all - n_unparsed - n_failed end as n_missing
    from capability_figures
),

pivoted as (
    select
        benchmark, judge, captioner, max(captioner_name) as captioner_name, repeat, metric, provenance, origin,
        max(case when section = 'average' then figure end) as average,
        max(case when section = 'average' then low end) as average_low,
        max(case when section = 'average' then high end) as average_high,
        max(case when section = 'static' then figure end) as average_static,
        max(case when section = 'static' then low end) as average_static_low,
        max(case when section = 'static' then high end) as average_static_high,
        max(case when section = 'dynamic' then figure end) as average_dynamic,
        max(case when section = 'dynamic' then low end) as average_dynamic_low,
        max(case when section = 'dynamic' then high end) as average_dynamic_high,
        max(case when section = 'average' then n_dimensions else 0 end) as n_dimensions,
        sum(n_all) as n_all, sum(n_unparsed) as n_unparsed, sum(n_failed) as n_failed, sum(n_missing) as n_missing
    from figures
    group by benchmark, judge, captioner, repeat, metric, provenance, origin
),

printed as (
    select benchmark, 'published' as origin, coalesce(nullif(model_id, ''), model) as captioner, metric, max(value) as average_printed
    from published
    where source = 'paper' and category = 'average'
    group by benchmark, coalesce(nullif(model_id, ''), model), metric
)

select
    benchmark, protocol, judge, captioner, captioner_name, repeat, metric, provenance, origin,
    average, average_low, average_high, average_static, average_static_low, average_static_high,
    average_dynamic, average_dynamic_low, average_dynamic_high, average_printed,
    case when average is not null
        then rank() over (partition by benchmark, judge, repeat, metric, provenance, origin order by average desc nulls last) end as rank,
    n_dimensions, n_all, n_unparsed, n_failed, n_missing
from pivoted
inner join rubric_protocols() using (benchmark)
left join printed using (benchmark, origin, captioner, metric);

-- audit: average_within_dimensions: a mean lies between its least and its greatest part
select m.benchmark, m.captioner, m.metric, m.average, min(f.figure) as least, max(f.figure) as greatest
from capability_main as m
inner join capability_figures as f using (benchmark, judge, captioner, repeat, metric, provenance, origin)
where m.benchmark = 'capability' and f.kind = 'dimension'
group by m.benchmark, m.captioner, m.metric, m.average
having m.average < min(f.figure) - 0.000001 or m.average > max(f.figure) + 0.000001;
