-- model: question_sums
-- what: for how many captioners each question was answered, and how
-- grain: one row per protocol, reader, prompt, provenance and question; QA-on-caption, first repetition
-- key: [protocol, reader, prompt, provenance, question_id]
-- inputs: [answers, stale_answers]
-- source: a step on the way to CaptionQA section 17.1
-- fold: answers
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, id of the model that answered]
--   prompt: [varchar, caption prompt]
--   provenance: [varchar, "published, measured or simulated"]
--   question_id: [varchar, question]
--   image_id: [varchar, {merge: min}, item that the question is about]
--   domain: [varchar, {merge: min}, domain]
--   category: [varchar, {merge: min}, first taxonomy level; empty when the bank names none]
--   n_models: [bigint, count, 1.., captioners that the question was answered for]
--   n_correct: [bigint, count, "of them, correctly"]
--   n_cannot: [bigint, count, "of them, with the cannot option"]

select
    protocol, reader, prompt, provenance, question_id, min(image_id) as image_id, min(domain) as domain, min(category) as category,
    count(*) as n_models,
    count(*) filter (where outcome = 'correct') as n_correct,
    count(*) filter (where outcome = 'cannot') as n_cannot
from counted_answers()
where evidence = 'caption' and repeat = 0
group by protocol, reader, prompt, provenance, question_id;
