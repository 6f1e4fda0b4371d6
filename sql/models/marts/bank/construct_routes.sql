-- what: "the outcome of the validated candidates of each category: accepted, suggested for discarding, or sent to
--     people"
-- key: [domain, provenance, category]
-- source: "CaptionQA section 4.4: validators reduce what people have to look at by more than 90%"
-- columns:
--   domain:
--   provenance: [varchar, "measured or simulated, of the routes"]
--   category: [varchar, first taxonomy level; empty for all]
--   n_candidates: [bigint, count, 1.., candidates that validators looked at]
--   n_images: [bigint, count, 1.., items of them]
--   n_accept: [bigint, count, 0.., candidates that all validators answered with the key]
--   n_discard: [bigint, count, 0.., candidates that all flagged]
--   n_review: [bigint, count, 0.., the others]
--   n_reviewed: [bigint, count, 0.., candidates on which a person decided]
--   n_kept: [bigint, count, 0.., "number of these that the latest decision keeps unchanged"]
--   n_fixed: [bigint, count, 0.., candidates that it changes]
--   n_dropped: [bigint, count, 0.., candidates that it drops]
--   n_waiting: [bigint, count, 0.., candidates that wait for a person]
--   n_questions: [bigint, count, 0.., candidates that are questions of the bank]
--   accepted: [double, percent, 0..100, share of the candidates that all validators answered with the key]
-- intervals:
--   accepted: share(n_candidates, clusters)

with latest as (
    select candidate_id, decision
    from reviews
    qualify row_number() over (partition by candidate_id order by reviewed_at desc nulls last, reviewer desc) = 1
),

states as (
    select
        c.domain, r.provenance, series.category, c.image_id, r.route, l.decision,
        q.candidate_id is not null as is_published
    from routes as r
    inner join candidates as c using (candidate_id)
    left join latest as l using (candidate_id)
    left join (select distinct candidate_id from questions where candidate_id is not null) as q using (candidate_id)
    cross join lateral (values (''), (c.category)) as series (category)
),

images as (
    select
        domain, provenance, category, image_id, count(*) as n, count(*) filter (where route = 'accept') as n_accept,
        count(*) filter (where route = 'discard') as n_discard, count(*) filter (where route = 'review') as n_review,
        count(decision) as n_reviewed, count(*) filter (where decision = 'keep') as n_kept,
        count(*) filter (where decision = 'fix') as n_fixed, count(*) filter (where decision = 'drop') as n_dropped,
        count(*) filter (where route <> 'accept' and decision is null) as n_waiting,
        count(*) filter (where is_published) as n_questions
    from states
    group by domain, provenance, category, image_id
)

select
    domain, provenance, category, sum(n) as n_candidates, count(*) as n_images, sum(n_accept) as n_accept,
    sum(n_discard) as n_discard,
    sum(n_review) as n_review, sum(n_reviewed) as n_reviewed, sum(n_kept) as n_kept, sum(n_fixed) as n_fixed,
    sum(n_dropped) as n_dropped,
    sum(n_waiting) as n_waiting, sum(n_questions) as n_questions, percent_of(sum(n_accept), sum(n)) as accepted,
    ratio_error(n_accept, n) as accepted_se, effective_clusters(n) as clusters
from images
group by domain, provenance, category;

-- audit: decisions_add_up: a decision keeps, fixes or drops
select domain, provenance, category, n_reviewed, n_kept, n_fixed, n_dropped
from construct_routes
where n_reviewed <> n_kept + n_fixed + n_dropped;

-- audit: routes_of_candidates: each route has a candidate in the lake, or it would be left out
select candidate_id, route
from routes
left join candidates as c using (candidate_id)
where c.candidate_id is null;

-- audit: reviews_of_candidates: a review is about a candidate of the lake, or it would be left out
select r.candidate_id, r.reviewer
from reviews as r
left join candidates as c using (candidate_id)
where c.candidate_id is null;
