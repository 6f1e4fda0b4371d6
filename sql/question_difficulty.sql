-- model: question_difficulty
-- what: how many captioners each question was answered for correctly, and whether that makes it easy, medium or hard
-- grain: one row per protocol, reader, prompt, provenance and question; QA-on-caption, first repetition
-- key: [protocol, reader, prompt, provenance, question_id]
-- inputs: [answers, stale_answers]
-- source: "CaptionQA section 17.1: easy from 80 percent of the models on, medium from 50, hard below"
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the model that answered]
--   prompt: [varchar, caption prompt]
--   provenance: [varchar, "published, measured or simulated"]
--   question_id: [varchar, question]
--   image_id: [varchar, item that the question is about]
--   domain: [varchar, domain]
--   category: [varchar, first taxonomy level; empty when the bank names none]
--   n_models: [bigint, count, 1.., captioners that the question was answered for]
--   n_correct: [bigint, count, "of them, correctly"]
--   n_cannot: [bigint, count, "of them, with the cannot option"]
--   share_correct: [double, percent, 0..100, n_correct as a share of n_models]
--   difficulty: [varchar, [easy, medium, hard]]

with first_answers as (
    select protocol, reader, prompt, provenance, question_id, image_id, domain, category, outcome
    from counted_answers()
    where evidence = 'caption' and repeat = 0
),

counted as (
    select
        protocol, reader, prompt, provenance, question_id,
        min(image_id) as image_id,
        min(domain) as domain,
        min(category) as category,
        count(*) as n_models,
        sum(case when outcome = 'correct' then 1 else 0 end) as n_correct,
        sum(case when outcome = 'cannot' then 1 else 0 end) as n_cannot
    from first_answers
    group by protocol, reader, prompt, provenance, question_id
)

select
    c.protocol, c.reader, c.prompt, c.provenance, c.question_id, c.image_id, c.domain, c.category, c.n_models, c.n_correct, c.n_cannot,
    percent_of(c.n_correct, c.n_models) as share_correct,
    case when c.n_correct * 5 >= c.n_models * 4 then 'easy' when c.n_correct * 2 >= c.n_models then 'medium' else 'hard' end as difficulty
from counted as c;

-- audit: difficulty_follows_share: the bounds of the paper: 80 and 50 percent
select question_id, share_correct, difficulty
from question_difficulty
where difficulty <> case when share_correct >= 80 then 'easy' when share_correct >= 50 then 'medium' else 'hard' end;
