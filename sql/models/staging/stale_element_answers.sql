-- what: answers to questions about annotated elements that count in no result, because the annotation or the call that
--     they came from is gone or has changed
-- key: [unit, benchmark, model, judge, repeat, sample_id, dimension, element]
-- source: "captionlake; the macro counted_element_answers leaves these rows out. No provenance: the table
--     element_answers has it"
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
--   cause: [varchar, [annotation, call], "annotation: it is gone or has another value; call: the recorded call is
--       gone"]

with requests as (
    select distinct call_key(request_hash) as call_key, repeat
    from calls
),

annotated as (
    select benchmark, sample_id, dimension, element, text_digest(value) as value_digest
    from annotations
),

-- Loaded rows count without annotations. But if the lake has annotations of their benchmark and not of this element, it
-- has lost this annotation.
causes as (
    select
        j.unit, j.benchmark, j.model, j.judge, j.repeat, j.sample_id, j.dimension, j.element,
        case
            when a.sample_id is null and (j.request_hash <> '' or j.benchmark in (select benchmark from annotations))
                then 'annotation'
            when a.value_digest <> j.value_digest then 'annotation'
            when j.request_hash <> '' and r.call_key is null then 'call'
        end as cause
    from element_answers as j
    left join requests as r on r.call_key = call_key(j.request_hash) and r.repeat = j.repeat
    left join annotated as a
        on a.benchmark = j.benchmark and a.sample_id = j.sample_id and a.dimension = j.dimension
            and a.element = j.element
)

select distinct unit, benchmark, model, judge, repeat, sample_id, dimension, element, cause
from causes
where cause is not null;
