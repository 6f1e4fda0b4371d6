-- what: within which places each captioner of a board lies, by the 95% intervals of its differences to all others; QA-on-caption,
--     domains of two images at least
-- key: [board_id, condition_id, metric]
-- source: "Klein, Wright and Wieczorek (2020), Mogstad and others (2024): places from comparisons two by two; beyond the paper. No
--     provenance: the board has it"
-- compute: rank_intervals
-- columns:
--   board_id: [varchar, board]
--   condition_id:
--   metric: [varchar, [score, accuracy]]
--   n_better: [bigint, count, 0.., captioners of the board that are better by an interval without 0]
--   n_worse: [bigint, count, 0.., captioners of the board that are worse by such an interval]

-- What is not printed of a board has answers to the same questions.
select
    b.board_id, i.domain, i.image_id, b.condition_id, cast(i.n_answers as double) as n_answers, cast(i.n_correct as double) as n_correct,
    cast(i.score_parts as double) as score_parts, i.n_questions
from boards as b
semi join (
    select condition_id, domain as section from captionqa_scores where origin = 'answers' and level in ('overall', 'domain')
        and score is not null
) as v using (condition_id, section)
inner join sections as s using (condition_id, section)
inner join answered() as i using (condition_id, domain)
where b.benchmark = 'captionqa' and b.origin = 'answers' and not b.is_replaced and i.level = 'domain'
order by b.board_id, i.domain, i.image_id, b.condition_id;
