-- what: for each question, the number of captioners whose captions led to a right answer, the difficulty that follows
--     from it (easy, medium or hard), and the captioner of the drawn caption; answers from captions, first repetition
-- key: [protocol, reader, prompt, provenance, question_id]
-- source: "CaptionQA section 17.1: easy from 80 percent of the models on, medium from 50, hard below; section 3.5 for
--     the drawn captions"
-- fold: answers by prompt
-- columns:
--   protocol, reader, prompt, provenance, question_id:
--   image_id: [varchar, item that the question is about]
--   domain: [varchar, domain]
--   category: [varchar, first taxonomy level; empty when the bank names none]
--   n_models: [bigint, count, 1.., captioners that the question was answered for]
--   captioner_set: [bigint, 0.., "sum over these of a number made from the id of each: questions with equal ones were
--       answered for the same captioners"]
--   n_correct: [bigint, count, "of them, correctly"]
--   n_cannot: [bigint, count, "of them, with the cannot option"]
--   share_correct: [double, percent, 0..100, {of: "percent_of(n_correct, n_models)"}, n_correct as a share of n_models]
--   difficulty:
--     - varchar
--     - {of: "case when n_correct * 5 >= n_models * 4 then 'easy' when n_correct * 2 >= n_models then 'medium'
--         else 'hard' end"}
--     - [easy, medium, hard]
--   drawn: [varchar, "least lot of the captions that were read, and after it on lines of their own its outcome and
--       captioner: the pool of a reader alone; null for prompts that are not in the pool"]

select
    protocol, reader, prompt, provenance, question_id, min(image_id) as image_id, min(domain) as domain,
    min(category) as category, count(*) as n_models,
    sum(question_number(captioner)) as captioner_set,
    count(*) filter (where outcome = 'correct') as n_correct,
    count(*) filter (where outcome = 'cannot') as n_cannot,
    min(
        case when in_pool(prompt)
            then concat_ws(chr(10), pool_lot(sampling_seed(), question_id, captioner, prompt), outcome, captioner) end
    ) as drawn
from counted_answers()
where evidence = 'caption' and repeat = 0
group by protocol, reader, prompt, provenance, question_id;

-- audit: difficulty_follows_share: the bounds of the paper: 80 and 50 percent
select question_id, share_correct, difficulty
from question_difficulty
where difficulty <> case when share_correct >= 80 then 'easy' when share_correct >= 50 then 'medium' else 'hard' end;
