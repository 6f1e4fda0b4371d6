-- what: judgments that count in no result, because the annotation, the caption or the call that they came from is gone
--     or has changed
-- key: [unit, benchmark, judge, captioner, repeat, sample_id, dimension, element]
-- source: "captionlake; the macro counted_judgments leaves these rows out. No provenance: the table judgments has it"
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
--   cause: [varchar, [annotation, caption, call], "annotation: it is gone or has another value; caption: the caption
--       that was judged is gone or has another text; call: the recorded call is gone"]

with requests as (
    select distinct call_key(request_hash) as call_key, repeat
    from calls
),

annotated as (
    select benchmark, sample_id, dimension, element, text_digest(value) as value_digest
    from annotations
),

texts as (
    select distinct image_id, captioner, text_digest(caption) as caption_digest
    from captions
),

-- Loaded rows count without annotations. But if the lake has annotations of their benchmark and not of this element, it
-- has lost this annotation.
causes as (
    select
        j.unit, j.benchmark, j.judge, j.captioner, j.repeat, j.sample_id, j.dimension, j.element,
        case
            when a.sample_id is null and (j.request_hash <> '' or j.benchmark in (select benchmark from annotations))
                then 'annotation'
            when a.value_digest <> j.value_digest then 'annotation'
            when j.request_hash <> '' and r.call_key is null then 'call'
            when j.caption_digest is not null and t.image_id is null then 'caption'
        end as cause
    from judgments as j
    left join requests as r on r.call_key = call_key(j.request_hash) and r.repeat = j.repeat
    left join texts as t on t.image_id = j.sample_id and t.captioner = j.captioner
        and t.caption_digest = j.caption_digest
    left join annotated as a
        on a.benchmark = j.benchmark and a.sample_id = j.sample_id and a.dimension = j.dimension
            and a.element = j.element
)

select distinct unit, benchmark, judge, captioner, repeat, sample_id, dimension, element, cause
from causes
where cause is not null;
