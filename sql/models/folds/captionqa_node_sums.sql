-- what: "CaptionQA answers added up by node of the taxonomy, with the sums over images that standard errors need"
-- key: [condition_id, level, domain, category, subcategory]
-- source: "a step on the way to CaptionQA Tables 3 and 11 to 26. No provenance: the condition has it, in conditions"
-- columns:
--   condition_id, domain:
--   level: [varchar, [domain, category, subcategory]]
--   category: [varchar, first level of the domain's taxonomy; empty on the level above and when the bank names none]
--   subcategory: [varchar, second level of the domain's taxonomy; empty on the levels above; questions without one are left out below]
--   n_images: [bigint, count, 1.., items that the questions are about]
--   n_images_offered: [bigint, count, "of them, those with a question that offers the cannot option"]
--   n_questions: [bigint, count, questions answered]
--   n_answers, n_correct, n_incorrect, n_cannot:
--   n_unparsed: [bigint, count, replies without a readable choice]
--   n_failed: [bigint, count, calls that gave no reply]
--   n_offered, score_parts, question_set:
--   answers_answers: [bigint, count, sum over images of the square of n_answers]
--   offered_offered: [bigint, count, sum over images of the square of n_offered]
--   parts_parts: ["decimal(38,0)", parts, sum over images of the square of score_parts]
--   parts_answers: ["decimal(38,0)", parts, sum over images of score_parts times n_answers]
--   correct_correct: [bigint, count, sum over images of the square of n_correct]
--   correct_answers: [bigint, count, sum over images of n_correct times n_answers]
--   cannot_cannot: [bigint, count, sum over images of the square of n_cannot]
--   cannot_answers: [bigint, count, sum over images of n_cannot times n_answers]
--   cannot_offered: [bigint, count, sum over images of n_cannot times n_offered]

with images as (
    select
        condition_id, level, domain, category, '' as subcategory,
        n_questions, n_answers, n_correct, n_incorrect, n_cannot, n_unparsed, n_failed, n_offered, score_parts, question_set
    from captionqa_images
    union all
    select
        condition_id, 'subcategory', domain, category, subcategory,
        n_questions, n_answers, n_correct, n_incorrect, n_cannot, n_unparsed, n_failed, n_offered, score_parts, question_set
    from merged_captionqa_image_sums()
    where subcategory <> ''
)

select
    condition_id, level, domain, category, subcategory,
    count(*) as n_images, count(*) filter (where n_offered > 0) as n_images_offered,
    sum(n_questions) as n_questions, sum(n_answers) as n_answers, sum(n_correct) as n_correct, sum(n_incorrect) as n_incorrect,
    sum(n_cannot) as n_cannot, sum(n_unparsed) as n_unparsed, sum(n_failed) as n_failed, sum(n_offered) as n_offered,
    sum(score_parts) as score_parts, sum(question_set) as question_set,
    sum(n_answers * n_answers) as answers_answers, sum(n_offered * n_offered) as offered_offered,
    sum(whole_product(score_parts, score_parts)) as parts_parts, sum(whole_product(score_parts, n_answers)) as parts_answers,
    sum(n_correct * n_correct) as correct_correct, sum(n_correct * n_answers) as correct_answers,
    sum(n_cannot * n_cannot) as cannot_cannot, sum(n_cannot * n_answers) as cannot_answers, sum(n_cannot * n_offered) as cannot_offered
from images
group by condition_id, level, domain, category, subcategory;

-- audit: outcomes_add_up: every answer has exactly one of the five known outcomes
select condition_id, domain, category, n_answers, n_correct, n_incorrect, n_cannot, n_unparsed, n_failed
from captionqa_node_sums
where n_answers <> n_correct + n_incorrect + n_cannot + n_unparsed + n_failed;
