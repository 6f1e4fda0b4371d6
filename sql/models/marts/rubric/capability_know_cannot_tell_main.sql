-- what: CAPability's table of question accuracy and know-but-cannot-tell, one metric of one captioner in all dimensions
-- key: [benchmark, judge, captioner, repeat, metric, provenance, origin]
-- source: CAPability Table 6
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   judge: [varchar, model_id of the judge of the captions and of the open answers]
--   captioner: [varchar, model_id that wrote the captions and answered the questions]
--   captioner_name, repeat:
--   metric: [varchar, [qa_accuracy, know_cannot_tell], qa_accuracy (higher is better) or know_cannot_tell (lower is better)]
--   provenance:
--   origin: [varchar, [answers, published], "answers, or published for the printed figures"]
--   {dimension}: [double, percent, 0..100, "the metric in the dimension {Dimension}; null when absent"]
--   average: [double, percent, 0..100, average over the dimensions; null unless all are present; as printed on printed rows]
-- intervals:
--   {dimension}: given; as in capability_know_cannot_tell; null for printed rows
--   average: given; as in capability_know_cannot_tell; null for printed rows

with figures as (
    select
        benchmark, judge, captioner, captioner_name, repeat, metric, provenance, origin, dimension,
        case metric when 'qa_accuracy' then qa_accuracy else know_cannot_tell end as figure,
        case metric when 'qa_accuracy' then qa_accuracy_low else know_cannot_tell_low end as low,
        case metric when 'qa_accuracy' then qa_accuracy_high else know_cannot_tell_high end as high
    from capability_know_cannot_tell
    cross join (values ('qa_accuracy'), ('know_cannot_tell')) as m (metric)
)

select
    benchmark, judge, captioner, max(captioner_name) as captioner_name, repeat, metric, provenance, origin,
    max(case when dimension = '{Dimension}' then figure end) as {dimension},
    max(case when dimension = '{Dimension}' then low end) as {dimension}_low,
    max(case when dimension = '{Dimension}' then high end) as {dimension}_high,
    max(case when dimension = 'average' then figure end) as average,
    max(case when dimension = 'average' then low end) as average_low,
    max(case when dimension = 'average' then high end) as average_high
from figures
group by benchmark, judge, captioner, repeat, metric, provenance, origin;

-- audit: two_rows_each: every captioner has both metrics
select benchmark, judge, captioner, repeat, provenance, origin, count(*) as n
from capability_know_cannot_tell_main
group by benchmark, judge, captioner, repeat, provenance, origin
having count(*) <> 2;
