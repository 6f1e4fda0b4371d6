-- what: answers that count in no result, because the question, the caption or the call that they came from is gone or
--     has changed
-- key: [unit, protocol, reader, evidence, captioner, prompt, question_id, repeat]
-- source: "captionlake; the macro counted_answers leaves these rows out. No provenance: the table answers has it"
-- fold: answers
-- columns:
--   unit, protocol, reader, evidence, captioner, prompt, question_id:
--   repeat: [integer, number of the repetition]
--   cause: [varchar, [call, caption, question], "call: its recorded call is gone; caption: the caption that was read is
--       gone or has another text; question: the bank that had the question has it no more, or with another key or
--       category"]

with requests as (
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

-- The answers that a run scored come from the lake's own bank and captions. Answers that were loaded from a file do
-- not.
asked as (
    select *, unit not like 'ingest-%' as is_scored
    from answers
    where request_hash <> ''
),

changed as (
    select
        a.unit, a.protocol, a.reader, a.evidence, a.captioner, a.prompt, a.question_id, a.repeat,
        case
            when r.call_key is null then 'call'
            when not a.is_scored then null
            when a.evidence = 'caption' and (t.image_id is null or t.caption_digest <> a.caption_digest) then 'caption'
            when b.question_id is null or b.domain <> a.domain or b.category <> a.category
                or b.subcategory <> a.subcategory then 'question'
            when a.outcome in ('correct', 'incorrect') and (a.choice_index = b.answer_index) <> (a.outcome = 'correct')
                then 'question'
        end as cause
    from asked as a
    left join requests as r on r.call_key = call_key(a.request_hash) and r.repeat = a.repeat
    left join texts as t on t.image_id = a.image_id and t.captioner = a.captioner and t.prompt = a.prompt
    left join bank as b on b.question_id = a.question_id
),

unknown as (
    select unit, protocol, reader, evidence, captioner, prompt, question_id, repeat, domain
    from answers
    where domain in (select domain from bank) and question_id not in (select question_id from bank)
),

-- Loaded answers count without a bank. But if the bank of their domain has other questions of the same unit and not
-- this one, it has lost this question.
losses as (
    select distinct a.unit, a.domain
    from answers as a
    where a.question_id in (select question_id from bank)
        and exists (select 1 from unknown as u where u.unit = a.unit and u.domain = a.domain)
),

causes as (
    select unit, protocol, reader, evidence, captioner, prompt, question_id, repeat, cause
    from changed
    where cause is not null
    union all
    select u.unit, u.protocol, u.reader, u.evidence, u.captioner, u.prompt, u.question_id, u.repeat, 'question' as cause
    from unknown as u
    inner join losses as l on l.unit = u.unit and l.domain = u.domain
)

select
    unit, protocol, reader, evidence, captioner, prompt, question_id, repeat,
    min(cause) as cause
from causes
group by unit, protocol, reader, evidence, captioner, prompt, question_id, repeat;
