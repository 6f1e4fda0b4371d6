-- model: prompt_transition_sums
-- what: "a change of the caption prompt captioner by captioner and image by image"
-- grain: one row per protocol, reader, provenance, captioner, transition, domain, category and image
-- key: [protocol, reader, provenance, captioner, transition, domain, category, image_id]
-- inputs: [captionqa_image_sums]
-- source: a step on the way to CaptionQA Figures 17 to 23
-- fold: captionqa_image_sums
-- by: [protocol, reader, provenance, captioner]
-- columns:
--   like: {model: captionqa_image_sums, only: [protocol, reader, provenance, captioner, domain]}
--   transition: [varchar, [Short to Simple, Simple to Long, Short to Long, Long to Taxonomy-Hinted]]
--   category: [varchar, first taxonomy level; empty for all questions of the domain]
--   image_id: [varchar, "item that the questions are about: the cluster of standard errors"]
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

-- The answers about an image, for each category and for the whole domain.
with cells as (
    select
        protocol, reader, provenance, captioner, prompt, image_id, domain, coalesce(category, '') as category,
        sum(n_answers) as n, sum(n_correct) as correct, sum(n_cannot) as cannot, sum(n_offered) as offered, sum(score_parts) as score_parts
    from captionqa_image_sums
    where evidence = 'caption'
    group by protocol, reader, provenance, captioner, prompt, image_id, domain, grouping sets ((category), ())
    having grouping(category) = 1 or category <> ''
)

select
    protocol, reader, provenance, captioner, t.transition, domain, category, image_id,
    a.n as n_from, a.correct as correct_from, a.cannot as cannot_from, a.offered as offered_from, a.score_parts as score_parts_from,
    b.n as n_to, b.correct as correct_to, b.cannot as cannot_to, b.offered as offered_to, b.score_parts as score_parts_to
from cells as a
inner join cells as b using (protocol, reader, provenance, captioner, domain, category, image_id)
inner join prompt_changes() as t on t.from_prompt = a.prompt and t.to_prompt = b.prompt;
