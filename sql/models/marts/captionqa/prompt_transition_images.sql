-- what: what a change of the caption prompt does to the answers about each image, over all captioners, from which standard errors are
--     computed
-- key: [protocol, reader, provenance, level, transition, domain, category, image_id]
-- source: a step on the way to CaptionQA Figures 17 to 23
-- columns:
--   change_id, protocol, reader, provenance:
--   level: [varchar, [category, domain]]
--   transition: [varchar, [Short to Simple, Simple to Long, Short to Long, Long to Taxonomy-Hinted]]
--   domain:
--   category: [varchar, first taxonomy level; empty on the level domain]
--   image_id: [varchar, "item that the questions are about: the cluster of standard errors"]
--   n_models: [bigint, count, 1.., "captioners with answers to the same questions under both prompts; each counts with its own questions"]
--   n_from: [bigint, count, 1.., answers under the first prompt]
--   correct_from: [bigint, count, "of them, correct ones"]
--   cannot_from: [bigint, count, "of them, those that chose the cannot option"]
--   offered_from: [bigint, count, "of them, those to questions that offer it"]
--   score_parts_from: [bigint, parts, sum of their scores in parts of 1/232792560]
--   n_to: [bigint, count, 1.., answers under the second prompt]
--   correct_to: [bigint, count, "of them, correct ones"]
--   cannot_to: [bigint, count, "of them, those that chose the cannot option"]
--   offered_to: [bigint, count, "of them, those to questions that offer it"]
--   score_parts_to: [bigint, parts, sum of their scores]
--   accuracy_from_part: [double, points, -100..100, "what the image moves the accuracy of level, domain and category under the first
--       prompt, to first order: correct answers above what that accuracy predicts, per answer of all images"]
--   accuracy_to_part: [double, points, -100..100, the same under the second prompt]
--   score_from_part: [double, points, what the image moves the score under the first prompt]
--   score_to_part: [double, points, the same under the second prompt]
--   coverage_from_part: [double, points, -100..100, "what the image moves the coverage under the first prompt: the share of all answers
--       that did not choose the cannot option"]
--   coverage_to_part: [double, points, -100..100, the same under the second prompt]
--   coverage_offered_from_part: [double, points, -100..100, "what the image moves the coverage among the questions that offer the cannot
--       option, under the first prompt; null where no image has such a question"]
--   coverage_offered_to_part: [double, points, -100..100, the same under the second prompt]

-- Whose captions are compared: what a captioner has under two prompts.
with changes as (
    select
        condition_id as from_id, condition_of(protocol, reader, evidence, captioner, to_prompt, provenance) as to_id,
        condition_of(protocol, reader, 'answers', '', transition, provenance) as change_id, protocol, reader, provenance, transition
    from conditions
    inner join prompt_changes() on from_prompt = prompt
    where evidence = 'caption'
),

-- The answers to the captions of an image, for each category and for the whole domain.
cells as (
    select
        condition_id, domain, category, image_id, question_set,
        n_answers as n, n_correct as correct, n_cannot as cannot, n_offered as offered, score_parts
    from merged_captionqa_images()
    where evidence = 'caption' and (level = 'domain' or category <> '')
),

questions_read as (
    select
        condition_id, domain, c.category, image_id, question_id,
        n_answers as n, n_correct as correct, n_cannot as cannot, n_offered as offered, score_parts
    from captionqa_uneven_answers as a
    cross join lateral (select a.category where a.category <> '' union all select '') as c (category)
    where evidence = 'caption'
),

-- Materialized, or the engine joins all captioners with one another first.
from_cells as materialized (
    select from_id, to_id, change_id, cells.* exclude (condition_id)
    from changes
    inner join cells on condition_id = from_id
),

-- Captioner by captioner, so that both sides of a difference have the same captioners, images and questions. Of an image about which the
-- two sides did not answer the same questions, those count that both answered.
cell_pairs as (
    select
        from_id, to_id, change_id, a.domain, a.category, a.image_id, a.question_set is distinct from b.question_set as uneven,
        a.n, a.correct, a.cannot, a.offered, a.score_parts,
        b.n as n_to, b.correct as correct_to, b.cannot as cannot_to, b.offered as offered_to, b.score_parts as score_parts_to
    from from_cells as a
    inner join cells as b on b.condition_id = to_id and b.category = a.category and b.image_id = a.image_id
),

both_sides as (
    select
        change_id, domain, category, image_id, n, correct, cannot, offered, score_parts,
        n_to, correct_to, cannot_to, offered_to, score_parts_to
    from cell_pairs
    where not uneven
    union all
    select
        change_id, p.domain, p.category, p.image_id,
        sum(a.n), sum(a.correct), sum(a.cannot), sum(a.offered), sum(a.score_parts),
        sum(b.n), sum(b.correct), sum(b.cannot), sum(b.offered), sum(b.score_parts)
    from cell_pairs as p
    inner join questions_read as a
        on a.condition_id = from_id and a.category = p.category and a.image_id = p.image_id
    inner join questions_read as b
        on b.condition_id = to_id and b.question_id = a.question_id and b.category = a.category
    where uneven
    group by change_id, from_id, p.domain, p.category, p.image_id
),

pairs as (
    select
        change_id, domain, category, image_id, count(*) as n_models,
        sum(n) as n_from, sum(correct) as correct_from, sum(cannot) as cannot_from, sum(offered) as offered_from,
        sum(score_parts) as score_parts_from, sum(n_to) as n_to, sum(correct_to) as correct_to, sum(cannot_to) as cannot_to,
        sum(offered_to) as offered_to, sum(score_parts_to) as score_parts_to
    from both_sides
    group by change_id, domain, category, image_id
)

select
    change_id, protocol, reader, provenance, case category when '' then 'domain' else 'category' end as level, transition,
    domain, category, image_id, n_models, n_from, correct_from, cannot_from, offered_from, score_parts_from,
    n_to, correct_to, cannot_to, offered_to, score_parts_to,
    share_part(correct_from, n_from, sum(correct_from) over every, sum(n_from) over every) as accuracy_from_part,
    share_part(correct_to, n_to, sum(correct_to) over every, sum(n_to) over every) as accuracy_to_part,
    score_of_parts(share_part(score_parts_from, n_from, sum(score_parts_from) over every, sum(n_from) over every)) as score_from_part,
    score_of_parts(share_part(score_parts_to, n_to, sum(score_parts_to) over every, sum(n_to) over every)) as score_to_part,
    share_part(n_from - cannot_from, n_from, sum(n_from - cannot_from) over every, sum(n_from) over every) as coverage_from_part,
    share_part(n_to - cannot_to, n_to, sum(n_to - cannot_to) over every, sum(n_to) over every) as coverage_to_part,
    share_part(offered_from - cannot_from, offered_from, sum(offered_from - cannot_from) over every, sum(offered_from) over every)
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
having abs(sum(accuracy_from_part)) > 0.000001 or abs(sum(accuracy_to_part)) > 0.000001 or abs(sum(score_from_part)) > 0.000001
    or abs(sum(score_to_part)) > 0.000001 or abs(sum(coverage_from_part)) > 0.000001 or abs(sum(coverage_to_part)) > 0.000001
    or abs(sum(coverage_offered_from_part)) > 0.000001 or abs(sum(coverage_offered_to_part)) > 0.000001;
