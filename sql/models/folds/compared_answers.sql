-- what: answers to questions that another reader, repetition or parser answered too, reduced to numbers that can be compared
-- key: [unit, protocol, reader, evidence, captioner, prompt, provenance, question_id, repeat]
-- source: a step on the way to CaptionQA Figure 2
-- fold: answers
-- columns:
--   unit: [varchar, unit that holds the answer]
--   protocol, reader, evidence:
--   captioner: [varchar, model_id of the captioner; under evidence image of the model that looked; empty under evidence none]
--   prompt, provenance, question_id:
--   repeat: [integer, number of the repetition]
--   image_id: [varchar, {merge: max}, "item of the question: the cluster of standard errors"]
--   outcome: [integer, [1, 2, 3, 4, 5], "1 correct, 2 incorrect, 3 cannot, 4 unparsed, 5 failed"]
--   choice: [integer, position of the option chosen; -1 when none was]
--   score_parts: [bigint, parts, 0.., score in parts of 1/232792560]
--   call: [varchar, {merge: max}, start of the request hash of the call that was parsed]

select
    unit, protocol, reader, evidence, captioner, prompt, provenance, question_id, repeat, image_id,
    case outcome when 'correct' then 1 when 'incorrect' then 2 when 'cannot' then 3 when 'unparsed' then 4 else 5 end as outcome,
    coalesce(choice_index, -1) as choice, score_parts(score) as score_parts, call_key(request_hash) as call
from counted_answers()
inner join compared_sets using (protocol, reader, evidence, captioner, prompt, provenance)
where repeated or parsed_twice or repeat = 0;
