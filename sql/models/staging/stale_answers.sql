-- what: answers that count in no result, because the question, the caption or the call that they came from is gone or has changed
-- key: [unit, protocol, reader, evidence, captioner, prompt, question_id, repeat]
-- source: "captionlake; the macro counted_answers leaves these rows out. No provenance: the rows have it in their table"
-- fold: answers
-- columns:
--   unit, protocol, reader, evidence, captioner, prompt, question_id:
--   repeat: [integer, number of the repetition]
--   cause: [varchar, [call, caption, question], "call: its recorded call is gone; caption: the caption that was read is gone or has another
--       text; question: the bank that had the question has it no more, or with another key or category"]

with asked as (
    select
        unit, protocol, reader, evidence, captioner, prompt, question_id, repeat, image_id, domain, category, subcategory,
        choice_index, outcome, caption_digest, call_key(request_hash) as call_key
    from answers
    where request_hash <> ''
),

requests as (
    select distinct call_key(request_hash) as call_key, repeat
    from calls
),

bank as (
    select question_id, domain, category, subcategory, answer_index
    from questions
),

texts as (
    select image_id, captioner, prompt, text_digest(caption) as caption_digest
    from captions
),

-- What a run scored came from the lake's own bank and captions. Answers that were loaded from a file did not.
scored as (
    select a.*
    from asked as a
    inner join requests as r on r.call_key = a.call_key and r.repeat = a.repeat
    where a.unit not like 'ingest-%'
),

without_call as (
    select a.unit, a.protocol, a.reader, a.evidence, a.captioner, a.prompt, a.question_id, a.repeat, 'call' as cause
    from asked as a
    left join requests as r on r.call_key = a.call_key and r.repeat = a.repeat
    where r.call_key is null
),

without_caption as (
    select s.unit, s.protocol, s.reader, s.evidence, s.captioner, s.prompt, s.question_id, s.repeat, 'caption' as cause
    from scored as s
    left join texts as t on t.image_id = s.image_id and t.captioner = s.captioner and t.prompt = s.prompt
    where s.evidence = 'caption' and (t.image_id is null or t.caption_digest <> s.caption_digest)
),

without_question as (
    select s.unit, s.protocol, s.reader, s.evidence, s.captioner, s.prompt, s.question_id, s.repeat, 'question' as cause
    from scored as s
    left join bank as b on b.question_id = s.question_id
    where b.question_id is null or b.domain <> s.domain or b.category <> s.category or b.subcategory <> s.subcategory
        or (s.outcome in ('correct', 'incorrect') and (s.choice_index = b.answer_index) <> (s.outcome = 'correct'))
),

-- Loaded answers count without a bank. A bank of their domain that has other questions of the same unit, and not this one,
-- has lost it.
unknown as (
    select a.unit, a.protocol, a.reader, a.evidence, a.captioner, a.prompt, a.question_id, a.repeat, a.domain
    from answers as a
    where a.domain in (select domain from bank)
        and not exists (select 1 from bank as b where b.question_id = a.question_id)
),

banked as (
    select a.unit, a.protocol, a.reader, a.evidence, a.captioner, a.prompt, a.domain
    from answers as a
    where a.question_id in (select question_id from bank)
        and exists (
            select 1 from unknown as u
            where u.unit = a.unit and u.protocol = a.protocol and u.reader = a.reader and u.evidence = a.evidence
                and u.captioner = a.captioner and u.prompt = a.prompt and u.domain = a.domain
        )
    group by a.unit, a.protocol, a.reader, a.evidence, a.captioner, a.prompt, a.domain
),

loaded_without_question as (
    select u.unit, u.protocol, u.reader, u.evidence, u.captioner, u.prompt, u.question_id, u.repeat, 'question' as cause
    from unknown as u
    inner join banked as k
        on k.unit = u.unit and k.protocol = u.protocol and k.reader = u.reader and k.evidence = u.evidence and k.captioner = u.captioner
        and k.prompt = u.prompt and k.domain = u.domain
),

every_cause as (
    select unit, protocol, reader, evidence, captioner, prompt, question_id, repeat, cause from without_call
    union all
    select unit, protocol, reader, evidence, captioner, prompt, question_id, repeat, cause from without_caption
    union all
    select unit, protocol, reader, evidence, captioner, prompt, question_id, repeat, cause from without_question
    union all
    select unit, protocol, reader, evidence, captioner, prompt, question_id, repeat, cause from loaded_without_question
)

select
    unit, protocol, reader, evidence, captioner, prompt, question_id, repeat,
    min(cause) as cause
from every_cause
group by unit, protocol, reader, evidence, captioner, prompt, question_id, repeat;
