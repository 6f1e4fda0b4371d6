-- what: CaptionQA answers added up by image and node of the taxonomy. Scores, standard errors and resampling start from
--     these rows
-- key: [unit, protocol, reader, evidence, captioner, prompt, provenance, domain, category, subcategory, image_id,
--     repeat]
-- source: a step towards CaptionQA Tables 3, 4, 9 and 11 to 26 and Figures 13 to 28
-- fold: answers
-- checks: {rows: n_answers}
-- columns:
--   unit, protocol, reader, evidence, captioner, prompt, provenance, domain:
--   condition_id:
--   category:
--   subcategory: [varchar, second level of the domain's taxonomy; empty when the bank names none]
--   image_id:
--   repeat: [integer, number of the repetition]
--   n_answers:
--   n_correct, n_incorrect, n_cannot, n_unparsed:
--   n_failed: [bigint, count, calls that gave no reply; they score 0]
--   n_offered, score_parts, question_set:
--   n_cannot_not_offered: [bigint, count, 0..0, answers that chose the cannot option where it was not offered]
--   n_score_differs: [bigint, count, 0..0, "answers with a score that differs from the score of their outcome (1, 1/K +
--       0.05 or 0, CaptionQA section 3.4) by more than the rounding to four digits in the authors' result files"]

select
    unit, protocol, reader, evidence, captioner, prompt, provenance, domain, category, subcategory, image_id, repeat,
    condition_of(protocol, reader, evidence, captioner, prompt, provenance) as condition_id,
    count(*) as n_answers,
    count(*) filter (where outcome = 'correct') as n_correct,
    count(*) filter (where outcome = 'incorrect') as n_incorrect,
    count(*) filter (where outcome = 'cannot') as n_cannot,
    count(*) filter (where outcome = 'unparsed') as n_unparsed,
    count(*) filter (where outcome = 'failed') as n_failed,
    count(*) filter (where offers_cannot) as n_offered,
    sum(outcome_parts(outcome, options)) as score_parts,
    sum(question_number(question_id)) as question_set,
    count(*) filter (where outcome = 'cannot' and not offers_cannot) as n_cannot_not_offered,
    count(*) filter (where abs(score - score_of_parts(outcome_parts(outcome, options))) > 0.000050001)
        as n_score_differs
from counted_answers()
group by unit, protocol, reader, evidence, captioner, prompt, provenance, domain, category, subcategory, image_id,
    repeat;
