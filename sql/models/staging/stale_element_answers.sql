-- what: answers to the question form of annotations that count in no result, because the annotation or the call that they came from is gone
--    or has changed
-- key: [unit, benchmark, model, judge, repeat, sample_id, dimension, element]
-- source: "captionlake; the macro counted_element_answers leaves these rows out. No provenance: the rows have it in their table"
-- fold: element_answers
-- columns:
--   unit:
--   benchmark: [varchar, capability or cv-capbench]
--   model: [varchar, model_id that answered]
--   judge: [varchar, model_id of the judge of open answers; empty for multiple choice]
--   repeat: [integer, number of the repetition]
--   sample_id: [varchar, sample asked about]
--   dimension: [varchar, dimension of the annotation]
--   element: [varchar, element asked about]
--   cause: [varchar, [annotation, call], "annotation: it is gone or has another value; call: the recorded call is gone"]

with judged as (
    select unit, benchmark, model, judge, repeat, sample_id, dimension, element, value_digest, request_hash
    from element_answers
),

without_call as (
    select j.unit, j.benchmark, j.model, j.judge, j.repeat, j.sample_id, j.dimension, j.element, 'call' as cause
    from judged as j
    where j.request_hash <> '' and not exists (
        select 1 from calls as r where call_key(r.request_hash) = call_key(j.request_hash) and r.repeat = j.repeat
    )
),

-- Loaded rows count without annotations. Annotations of their benchmark that have other elements, and not this one, have
-- lost it.
without_annotation as (
    select j.unit, j.benchmark, j.model, j.judge, j.repeat, j.sample_id, j.dimension, j.element, 'annotation' as cause
    from judged as j
    left join annotations as a
        on a.benchmark = j.benchmark and a.sample_id = j.sample_id and a.dimension = j.dimension and a.element = j.element
    where (a.sample_id is null and (j.request_hash <> '' or j.benchmark in (select benchmark from annotations)))
        or text_digest(a.value) <> j.value_digest
),

every_cause as (
    select unit, benchmark, model, judge, repeat, sample_id, dimension, element, cause from without_call
    union all
    select unit, benchmark, model, judge, repeat, sample_id, dimension, element, cause from without_annotation
)

select
    unit, benchmark, model, judge, repeat, sample_id, dimension, element,
    min(cause) as cause
from every_cause
group by unit, benchmark, model, judge, repeat, sample_id, dimension, element;
