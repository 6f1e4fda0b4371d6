-- model: prompt_transition_images
-- what: "a change of the caption prompt image by image, over all captioners: what every standard error of the gains starts from"
-- grain: one row per protocol, reader, provenance, level, transition, domain, category and image
-- key: [protocol, reader, provenance, level, transition, domain, category, image_id]
-- inputs: [captionqa_image_sums]
-- source: a step on the way to CaptionQA Figures 17 to 23
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the model that answered]
--   provenance: [varchar, "published, measured or simulated"]
--   level: [varchar, [category, domain]]
--   transition: [varchar, [Short to Simple, Simple to Long, Short to Long, Long to Taxonomy-Hinted]]
--   domain: [varchar, domain]
--   category: [varchar, first taxonomy level; empty on the level domain]
--   image_id: [varchar, "item that the questions are about: the cluster of standard errors"]
--   n_models: [bigint, count, 1.., captioners with captions of both prompts; each counts with its own questions]
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

with sums as (
    select
        protocol, reader, provenance, model_id, prompt, domain, category, image_id,
        n_answers, n_correct, n_cannot, n_offered, score_parts
    from captionqa_image_sums
    where evidence = 'caption'
),

transitions as (
    select from_prompt || ' to ' || to_prompt as transition, from_prompt, to_prompt
    from (
        values ('Short', 'Simple'), ('Simple', 'Long'), ('Short', 'Long'), ('Long', 'Taxonomy-Hinted')
    ) as t (from_prompt, to_prompt)
),

cells as (
    select
        s.protocol, s.reader, s.provenance, s.model_id, s.prompt, v.level, s.domain, v.category, s.image_id,
        sum(s.n_answers) as n_answers, sum(s.n_correct) as n_correct, sum(s.n_cannot) as n_cannot,
        sum(s.n_offered) as n_offered, sum(s.score_parts) as score_parts
    from sums as s
    cross join lateral (values ('category', s.category), ('domain', '')) as v (level, category)
    where v.level = 'domain' or s.category <> ''
    group by s.protocol, s.reader, s.provenance, s.model_id, s.prompt, v.level, s.domain, v.category, s.image_id
),

-- Captioner by captioner, so that both sides of a difference have the same captioners and images.
pairs as (
    select
        a.protocol, a.reader, a.provenance, a.level, t.transition, a.domain, a.category, a.image_id,
        count(*) as n_models,
        sum(a.n_answers) as n_from, sum(a.n_correct) as correct_from, sum(a.n_cannot) as cannot_from,
        sum(a.n_offered) as offered_from, sum(a.score_parts) as score_parts_from,
        sum(b.n_answers) as n_to, sum(b.n_correct) as correct_to, sum(b.n_cannot) as cannot_to,
        sum(b.n_offered) as offered_to, sum(b.score_parts) as score_parts_to
    from cells as a
    inner join transitions as t on t.from_prompt = a.prompt
    inner join cells as b
        on b.prompt = t.to_prompt and b.protocol = a.protocol and b.reader = a.reader and b.provenance = a.provenance
        and b.model_id = a.model_id and b.level = a.level and b.domain = a.domain and b.category = a.category
        and b.image_id = a.image_id
    group by a.protocol, a.reader, a.provenance, a.level, t.transition, a.domain, a.category, a.image_id
),

totals as (
    select
        protocol, reader, provenance, level, transition, domain, category,
        sum(n_from) as n_from, sum(correct_from) as correct_from, sum(cannot_from) as cannot_from,
        sum(offered_from) as offered_from, score_of_parts(sum(score_parts_from)) as score_from,
        sum(n_to) as n_to, sum(correct_to) as correct_to, sum(cannot_to) as cannot_to,
        sum(offered_to) as offered_to, score_of_parts(sum(score_parts_to)) as score_to
    from pairs
    group by protocol, reader, provenance, level, transition, domain, category
)

select
    p.protocol, p.reader, p.provenance, p.level, p.transition, p.domain, p.category, p.image_id, p.n_models, p.n_from, p.correct_from,
    p.cannot_from, p.offered_from, p.score_parts_from, p.n_to, p.correct_to, p.cannot_to, p.offered_to, p.score_parts_to,
    share_part(p.correct_from, p.n_from, t.correct_from, t.n_from) as accuracy_from_part,
    share_part(p.correct_to, p.n_to, t.correct_to, t.n_to) as accuracy_to_part,
    share_part(score_of_parts(p.score_parts_from), p.n_from, t.score_from, t.n_from) as score_from_part,
    share_part(score_of_parts(p.score_parts_to), p.n_to, t.score_to, t.n_to) as score_to_part,
    share_part(p.n_from - p.cannot_from, p.n_from, t.n_from - t.cannot_from, t.n_from) as coverage_from_part,
    share_part(p.n_to - p.cannot_to, p.n_to, t.n_to - t.cannot_to, t.n_to) as coverage_to_part,
    share_part(p.offered_from - p.cannot_from, p.offered_from, t.offered_from - t.cannot_from,
        t.offered_from) as coverage_offered_from_part,
    share_part(p.offered_to - p.cannot_to, p.offered_to, t.offered_to - t.cannot_to, t.offered_to) as coverage_offered_to_part
from pairs as p
inner join totals as t
    on t.protocol = p.protocol and t.reader = p.reader and t.provenance = p.provenance and t.level = p.level
    and t.transition = p.transition and t.domain = p.domain and t.category = p.category;

-- audit: parts_balance: what the images of a row move adds up to nothing, or it would not be a deviation from the mean
select protocol, reader, provenance, level, transition, domain, category, sum(accuracy_to_part) as accuracy,
    sum(coverage_from_part) as coverage
from prompt_transition_images
group by protocol, reader, provenance, level, transition, domain, category
having abs(sum(accuracy_from_part)) > 0.000001 or abs(sum(accuracy_to_part)) > 0.000001 or abs(sum(score_from_part)) > 0.000001
    or abs(sum(score_to_part)) > 0.000001 or abs(sum(coverage_from_part)) > 0.000001 or abs(sum(coverage_to_part)) > 0.000001
    or abs(sum(coverage_offered_from_part)) > 0.000001 or abs(sum(coverage_offered_to_part)) > 0.000001;
