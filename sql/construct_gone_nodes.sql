-- model: construct_gone_nodes
-- what: nodes that candidates or published questions are about and that the taxonomy of their domain no longer has
-- grain: one row per domain and node
-- key: [domain, category, subcategory, aspect]
-- inputs: [candidates, questions, reviews, taxonomy]
-- source: "CaptionQA section 4.1; a taxonomy that was edited after the construction began. No provenance: it counts the questions of a
--     bank, whose candidates have it each"
-- columns:
--   domain: [varchar, domain of the node]
--   category: [varchar, first level of the node]
--   subcategory: [varchar, second level of the node; empty on the row of a category]
--   aspect: [varchar, third level of the node; empty on the rows above it]
--   n_candidates: [bigint, count, 0.., "candidates about the node: run construct asks nothing more about them, and leaves them out when it
--       next reads the replies that they came from"]
--   n_reviewed: [bigint, count, 0.., "of those, candidates that people decided on"]
--   n_questions: [bigint, count, 0.., "questions of a bank that was made here: publish the bank again, or put the node back"]

with asked as (
    select c.domain, c.category, c.subcategory, c.aspect, c.candidate_id, 1 as n_candidates, 0 as n_questions
    from candidates as c
    union all
    select q.domain, q.category, q.subcategory, q.aspect, q.candidate_id, 0 as n_candidates, 1 as n_questions
    from questions as q
    where q.candidate_id <> ''
),

decided as (
    select candidate_id
    from reviews
    group by candidate_id
)

select
    a.domain, a.category, a.subcategory, a.aspect,
    cast(sum(a.n_candidates) as bigint) as n_candidates,
    count(*) filter (where a.n_candidates = 1 and d.candidate_id is not null) as n_reviewed,
    cast(sum(a.n_questions) as bigint) as n_questions
from asked as a
left join decided as d using (candidate_id)
where not exists (
    select 1 from taxonomy as t
    where t.domain = a.domain and t.category = a.category and t.subcategory = a.subcategory and t.aspect = a.aspect
)
group by a.domain, a.category, a.subcategory, a.aspect;
