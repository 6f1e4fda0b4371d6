-- what: answers to questions that another reader or repetition also answered, reduced to numbers that can be compared
-- key: [protocol, reader, evidence, captioner, prompt, provenance, repeat, question_id]
-- source: a step towards CaptionQA Figure 2
-- fold: answers
-- columns:
--   protocol, reader, evidence:
--   captioner: [varchar, model_id of the captioner; under evidence image of the model that looked; empty under evidence
--       none]
--   prompt, provenance, condition_id, question_id:
--   repeat: [integer, number of the repetition]
--   image_id: [varchar, "item of the question: the cluster of standard errors"]
--   outcome: [integer, [1, 2, 3, 4, 5], "1 correct, 2 incorrect, 3 cannot, 4 unparsed, 5 failed"]
--   choice: [integer, position of the option chosen; -1 when none was]
--   n_readers: [integer, count, "readers of captions of the question pool's prompts, under the protocol and
--       provenance"]
--   n_repeats: [integer, count, 1.., "repetitions of the reader: the highest number of one, plus one"]
--   shared: [integer, 0..1, "1 if the pool's captions of the captioner and prompt were read by each of several
--       readers"]
--   repeated: [integer, 0..1, 1 if some of the captions were read in every repetition]

with sets as (
    select
        protocol, reader, evidence, captioner, prompt, provenance, max(repeat) + 1 as set_repeats,
        evidence = 'caption' and in_pool(prompt) and min(repeat) = 0 as pooled
    from merged_captionqa_images()
    where level = 'domain'
    group by protocol, reader, evidence, captioner, prompt, provenance
),

readers as (
    select protocol, provenance, count(distinct reader) as n_readers
    from sets
    where pooled
    group by protocol, provenance
),

set_readers as (
    select protocol, provenance, captioner, prompt, count(distinct reader) as n_readers
    from sets
    where pooled
    group by protocol, provenance, captioner, prompt
),

repeats as (
    select protocol, reader, provenance, max(case when evidence = 'caption' then set_repeats else 1 end) as n_repeats
    from sets
    group by protocol, reader, provenance
),

compared as (
    select
        protocol, reader, evidence, captioner, prompt, provenance, coalesce(r.n_readers, 0) as n_readers, n_repeats,
        case when pooled and r.n_readers > 1 and s.n_readers = r.n_readers then 1 else 0 end as shared,
        case when evidence = 'caption' and n_repeats > 1 and set_repeats = n_repeats then 1 else 0 end as repeated
    from sets
    inner join repeats using (protocol, reader, provenance)
    left join readers as r using (protocol, provenance)
    left join set_readers as s using (protocol, provenance, captioner, prompt)
)

select
    protocol, reader, evidence, captioner, prompt, provenance, question_id, repeat, image_id,
    condition_of(protocol, reader, evidence, captioner, prompt, provenance) as condition_id,
    case outcome when 'correct' then 1 when 'incorrect' then 2 when 'cannot' then 3 when 'unparsed' then 4
        else 5 end as outcome,
    coalesce(choice_index, -1) as choice,
    n_readers, n_repeats, shared, repeated
from counted_answers()
inner join compared using (protocol, reader, evidence, captioner, prompt, provenance)
where repeated = 1 or shared = 1 and repeat = 0;
