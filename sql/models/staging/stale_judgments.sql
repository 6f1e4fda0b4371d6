-- what: judgments that count in no result, because the annotation, the caption or the call that they came from is gone or has changed
-- key: [unit, benchmark, judge, captioner, repeat, sample_id, dimension, element]
-- source: "captionlake; the macro counted_judgments leaves these rows out. No provenance: the rows have it in their table"
-- fold: judgments
-- columns:
--   unit:
--   benchmark: [varchar, capability or cv-capbench]
--   judge:
--   captioner: [varchar, model_id whose caption was judged]
--   repeat: [integer, number of the repetition]
--   sample_id: [varchar, sample judged]
--   dimension: [varchar, dimension of the annotation]
--   element: [varchar, element judged]
--   cause: [varchar, [annotation, caption, call], "annotation: it is gone or has another value; caption: the caption that was judged is
--       gone or has another text; call: the recorded call is gone"]

with judged as (
    select unit, benchmark, judge, captioner, repeat, sample_id, dimension, element, value_digest, caption_digest, request_hash
    from judgments
),

without_call as (
    select j.unit, j.benchmark, j.judge, j.captioner, j.repeat, j.sample_id, j.dimension, j.element, 'call' as cause
    from judged as j
    where j.request_hash <> '' and not exists (
        select 1 from calls as r where call_key(r.request_hash) = call_key(j.request_hash) and r.repeat = j.repeat
    )
),

without_caption as (
    select j.unit, j.benchmark, j.judge, j.captioner, j.repeat, j.sample_id, j.dimension, j.element, 'caption' as cause
    from judged as j
    where j.caption_digest is not null and not exists (
        select 1 from captions as c
        where c.image_id = j.sample_id and c.captioner = j.captioner and text_digest(c.caption) = j.caption_digest
    )
),

-- Loaded rows count without annotations. Annotations of their benchmark that have other elements, and not this one, have
-- lost it.
without_annotation as (
    select j.unit, j.benchmark, j.judge, j.captioner, j.repeat, j.sample_id, j.dimension, j.element, 'annotation' as cause
    from judged as j
    left join annotations as a
        on a.benchmark = j.benchmark and a.sample_id = j.sample_id and a.dimension = j.dimension and a.element = j.element
    where (a.sample_id is null and (j.request_hash <> '' or j.benchmark in (select benchmark from annotations)))
        or text_digest(a.value) <> j.value_digest
),

every_cause as (
    select unit, benchmark, judge, captioner, repeat, sample_id, dimension, element, cause from without_call
    union all
    select unit, benchmark, judge, captioner, repeat, sample_id, dimension, element, cause from without_caption
    union all
    select unit, benchmark, judge, captioner, repeat, sample_id, dimension, element, cause from without_annotation
)

select
    unit, benchmark, judge, captioner, repeat, sample_id, dimension, element,
    min(cause) as cause
from every_cause
group by unit, benchmark, judge, captioner, repeat, sample_id, dimension, element;
