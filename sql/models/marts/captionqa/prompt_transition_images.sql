-- what: the effect of a change of the caption prompt on the answers about each image, over all captioners; standard
--     errors are computed from these rows
-- key: [protocol, reader, provenance, level, transition, domain, category, image_id]
-- source: a step towards CaptionQA Figures 17 to 23
-- columns:
--   change_id, protocol, reader, provenance:
--   level: [varchar, [category, domain]]
--   transition: [varchar, [Short to Simple, Simple to Long, Short to Long, Long to Taxonomy-Hinted]]
--   domain:
--   category: [varchar, first taxonomy level; empty on the level domain]
--   image_id: [varchar, "item that the questions are about: the cluster of standard errors"]
--   n_models: [bigint, count, 1.., "captioners with answers to the same questions under both prompts; each counts with
--       its own questions"]
--   n_from: [bigint, count, 1.., answers under the first prompt]
--   correct_from: [bigint, count, "of them, correct ones"]
--   cannot_from: [bigint, count, "number of these answers that chose the cannot option"]
--   offered_from: [bigint, count, "number of these to questions that offer the cannot option"]
--   score_parts_from: [bigint, parts, sum of their scores in parts of 1/232792560]
--   n_to: [bigint, count, 1.., answers under the second prompt]
--   correct_to: [bigint, count, "of them, correct ones"]
--   cannot_to: [bigint, count, "number of these answers that chose the cannot option"]
--   offered_to: [bigint, count, "number of these to questions that offer the cannot option"]
--   score_parts_to: [bigint, parts, sum of their scores]
--   accuracy_from_part: [double, points, -100..100, "effect of the image, to first order, on the accuracy of level,
--       domain and category under the first prompt: its correct answers minus the number that this accuracy predicts,
--       divided by the answers about all images"]
--   accuracy_to_part: [double, points, -100..100, the same under the second prompt]
--   score_from_part: [double, points, "effect of the image on the score under the first prompt"]
--   score_to_part: [double, points, the same under the second prompt]
--   coverage_from_part: [double, points, -100..100, "effect of the image on the coverage under the first prompt;
--       coverage is the share of all answers that did not choose the cannot option"]
--   coverage_to_part: [double, points, -100..100, the same under the second prompt]
--   coverage_offered_from_part: [double, points, -100..100, "effect of the image on the coverage among the questions
--       that offer the cannot option, under the first prompt; null if no image has such a question"]
--   coverage_offered_to_part: [double, points, -100..100, the same under the second prompt]

-- The captioners that have captions under both prompts.
with changes as (
    select
        condition_id as from_id, condition_of(protocol, reader, evidence, captioner, to_prompt, provenance) as to_id,
        key_of(protocol, reader, 'answers', '', transition, provenance) as change_id, protocol, reader, provenance,
        transition
    from conditions
    inner join prompt_changes() on from_prompt = prompt
    where evidence = 'caption'
),

sides as (
    select from_id as a_id, to_id as b_id from changes
),

images as (
    select * from answered() where evidence = 'caption' and (level = 'domain' or level = 'category' and category <> '')
),

-- Captioner by captioner, so that both sides of a difference have the same captioners, images and questions.
pairs as (
    select
        change_id, level, domain, category, image_id, count(*) as n_models,
        sum(n_a) as n_from, sum(correct_a) as correct_from, sum(cannot_a) as cannot_from,
        sum(offered_a) as offered_from,
        sum(score_a) as score_parts_from, sum(n_b) as n_to, sum(correct_b) as correct_to, sum(cannot_b) as cannot_to,
        sum(offered_b) as offered_to, sum(score_b) as score_parts_to
    from paired('sides', 'images')
    inner join changes on from_id = a_id and to_id = b_id
    group by change_id, level, domain, category, image_id
)

select
    change_id, protocol, reader, provenance, level, transition,
    domain, category, image_id, n_models, n_from, correct_from, cannot_from, offered_from, score_parts_from,
    n_to, correct_to, cannot_to, offered_to, score_parts_to,
    share_part(correct_from, n_from, sum(correct_from) over every, sum(n_from) over every) as accuracy_from_part,
    share_part(correct_to, n_to, sum(correct_to) over every, sum(n_to) over every) as accuracy_to_part,
    score_of_parts(share_part(score_parts_from, n_from, sum(score_parts_from) over every, sum(n_from) over every))
        as score_from_part,
    score_of_parts(share_part(score_parts_to, n_to, sum(score_parts_to) over every, sum(n_to) over every))
        as score_to_part,
    share_part(n_from - cannot_from, n_from, sum(n_from - cannot_from) over every, sum(n_from) over every)
        as coverage_from_part,
    share_part(n_to - cannot_to, n_to, sum(n_to - cannot_to) over every, sum(n_to) over every) as coverage_to_part,
    share_part(offered_from - cannot_from, offered_from, sum(offered_from - cannot_from) over every,
        sum(offered_from) over every)
        as coverage_offered_from_part,
    share_part(offered_to - cannot_to, offered_to, sum(offered_to - cannot_to) over every, sum(offered_to) over every)
        as coverage_offered_to_part
from pairs
inner join (select distinct change_id, protocol, reader, provenance, transition from changes) as c using (change_id)
window every as (partition by change_id, domain, category);

-- audit: parts_balance: what the images of a row move adds up to nothing, or it would not be a deviation from the mean
select protocol, reader, provenance, level, transition, domain, category, sum(accuracy_to_part) as accuracy,
    sum(coverage_from_part) as coverage
from prompt_transition_images
group by protocol, reader, provenance, level, transition, domain, category
having abs(sum(accuracy_from_part)) > 0.000001 or abs(sum(accuracy_to_part)) > 0.000001
    or abs(sum(score_from_part)) > 0.000001
    or abs(sum(score_to_part)) > 0.000001 or abs(sum(coverage_from_part)) > 0.000001
        or abs(sum(coverage_to_part)) > 0.000001
    or abs(sum(coverage_offered_from_part)) > 0.000001 or abs(sum(coverage_offered_to_part)) > 0.000001;
