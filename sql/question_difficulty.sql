-- model: question_difficulty
-- what: how many captioners each question was answered for correctly, and whether that makes it easy, medium or hard
-- grain: one row per protocol, reader, prompt, provenance and question; QA-on-caption, first repetition
-- key: [protocol, reader, prompt, provenance, question_id]
-- inputs: [question_sums, captionqa_image_sums]
-- source: "CaptionQA section 17.1: easy from 80 percent of the models on, medium from 50, hard below"
-- columns:
--   like: question_sums
--   share_correct: [double, percent, 0..100, n_correct as a share of n_models]
--   difficulty: [varchar, [easy, medium, hard]]

select
    *, percent_of(n_correct, n_models) as share_correct,
    case when n_correct * 5 >= n_models * 4 then 'easy' when n_correct * 2 >= n_models then 'medium' else 'hard' end as difficulty
from question_sums;

-- audit: difficulty_follows_share: the bounds of the paper: 80 and 50 percent
select question_id, share_correct, difficulty
from question_difficulty
where difficulty <> case when share_correct >= 80 then 'easy' when share_correct >= 50 then 'medium' else 'hard' end;

-- audit: no_answer_lost: the first repetitions of QA-on-caption are those of the sums by image, which are held against the answers
select q.n_answers, i.n_answers as n_answers_of_images
from (select sum(n_models) as n_answers from question_sums) as q
cross join (select sum(n_questions) as n_answers from captionqa_image_sums where evidence = 'caption') as i
where coalesce(q.n_answers, 0) <> coalesce(i.n_answers, 0);
