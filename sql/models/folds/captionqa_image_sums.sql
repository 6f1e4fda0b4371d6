-- what: "CaptionQA answers added up by image and node of the taxonomy: what every score, standard error and resampling starts from"
-- key: [unit, protocol, reader, evidence, captioner, prompt, provenance, domain, category, subcategory, image_id]
-- source: a step on the way to CaptionQA Tables 3, 4, 9 and 11 to 26 and Figures 13 to 28
-- fold: answers
-- checks: {rows: n_answers}
-- columns:
--   unit, protocol, reader, evidence, captioner, prompt, provenance, domain:
--   condition_id:
--   category:
--   subcategory: [varchar, second level of the domain's taxonomy; empty when the bank names none]
--   image_id, n_answers, n_questions:
--   n_repeats: [bigint, count, 1.., {merge: max}, "highest number of a repetition, plus one"]
--   n_correct, n_incorrect, n_cannot, n_unparsed:
--   n_failed: [bigint, count, calls that gave no reply; they score 0]
--   n_offered, score_parts, question_set:
--   n_cannot_not_offered: [bigint, count, 0..0, answers that chose the cannot option where it was not offered]
--   n_score_differs: [bigint, count, 0..0, "answers whose score is not what the outcome gives: 1, 1/K + 0.05 or 0 (CaptionQA section 3.4)"]

select
    unit, protocol, reader, evidence, captioner, prompt, provenance, domain, category, subcategory, image_id,
    condition_of(protocol, reader, evidence, captioner, prompt, provenance) as condition_id,
    count(*) as n_answers,
    count(*) filter (where repeat = 0) as n_questions,
    max(repeat) + 1 as n_repeats,
    count(*) filter (where outcome = 'correct') as n_correct,
    count(*) filter (where outcome = 'incorrect') as n_incorrect,
    count(*) filter (where outcome = 'cannot') as n_cannot,
    count(*) filter (where outcome = 'unparsed') as n_unparsed,
    count(*) filter (where outcome = 'failed') as n_failed,
    count(*) filter (where offers_cannot) as n_offered,
    sum(score_parts(score)) as score_parts,
    sum(case when repeat = 0 then question_number(question_id) else 0 end) as question_set,
    count(*) filter (where outcome = 'cannot' and not offers_cannot) as n_cannot_not_offered,
    count(*) filter (
        where abs(score - case outcome when 'correct' then 1 when 'cannot' then 1.0 / options + 0.05 else 0 end) > 0.000000001
    ) as n_score_differs
from counted_answers()
group by unit, protocol, reader, evidence, captioner, prompt, provenance, domain, category, subcategory, image_id;

-- audit: repetitions_start_at_zero: a question whose first repetition is gone would not be counted; run answer asks it again
select
    protocol, reader, evidence, captioner, prompt, provenance, domain, category, subcategory, image_id,
    sum(n_answers) as n_answers, sum(n_questions) as n_questions, max(n_repeats) as n_repeats
from captionqa_image_sums
where exists (select 1 from captionqa_image_sums where n_repeats > 1) -- Without any repetition there is nothing to see.
group by protocol, reader, evidence, captioner, prompt, provenance, domain, category, subcategory, image_id
having sum(n_answers) > sum(n_questions) * max(n_repeats);
