-- what: the number of generated questions that are left after each step of the construction of a bank
-- key: [domain, provenance, step]
-- source: CaptionQA section 4 and Figure 3
-- columns:
--   domain:
--   provenance: [varchar, "measured or simulated, of the candidates"]
--   step: [varchar, [generated, well_formed, sighted, distinct, accepted, discard, review, published], "generated: all
--       candidates; well_formed: candidates that can be asked; sighted: well-formed candidates that no blind reader
--       knows; distinct: one sighted candidate for each group of duplicates; accepted, discard and review: routes of
--       the distinct candidates; published: candidates that are questions of the bank"]
--   position: [bigint, 1..8, place of the step in the order of the construction]
--   n_candidates: [bigint, count, 0.., candidates that are left]
--   n_images: [bigint, count, 0.., items that they are about]
--   n_generators: [bigint, count, 0.., models that wrote them]
--   n_waiting: [bigint, count, 0.., "candidates of the former step that have not reached this step yet: for sighted,
--       candidates without blind trials; for distinct, without a group; for accepted, without a route; for published,
--       candidates that the validators did not accept and that no person has decided on"]
--   share: [double, percent, 0..100, "n_candidates as a share of the generated candidates"]

with states as (
    select
        c.domain, c.provenance, c.image_id, c.generator, s.state,
        s.state in ('not_grouped', 'duplicate', 'distinct') as sighted,
        s.state = 'distinct' as is_distinct, r.route, d.candidate_id is not null as is_decided,
        q.candidate_id is not null as is_published
    from candidates as c
    inner join construct_states as s using (candidate_id)
    left join routes as r using (candidate_id)
    left join (select distinct candidate_id from reviews) as d using (candidate_id)
    left join (select distinct candidate_id from questions where candidate_id is not null) as q using (candidate_id)
),

steps as (
    select
        domain, provenance, image_id, generator, s.position, s.step,
        case s.step
            when 'generated' then true
            when 'well_formed' then state <> 'malformed'
            when 'sighted' then sighted
            when 'distinct' then is_distinct
            when 'accepted' then is_distinct and coalesce(route = 'accept', false)
            when 'published' then is_published
            else is_distinct and coalesce(route = s.step, false)
        end as is_left,
        case s.step
            when 'sighted' then state = 'not_tried'
            when 'distinct' then state = 'not_grouped'
            when 'accepted' then is_distinct and route is null
            when 'published' then is_distinct and coalesce(route <> 'accept', false) and not is_decided
                and not is_published
            else false
        end as is_waiting
    from states
    cross join (
        values (1, 'generated'), (2, 'well_formed'), (3, 'sighted'), (4, 'distinct'), (5, 'accepted'), (6, 'discard'),
        (7, 'review'),
            (8, 'published')
    ) as s (position, step)
)

select
    domain, provenance, step, position,
    count(*) filter (where is_left) as n_candidates,
    count(distinct image_id) filter (where is_left) as n_images,
    count(distinct generator) filter (where is_left) as n_generators,
    count(*) filter (where is_waiting) as n_waiting,
    percent_of(count(*) filter (where is_left), count(*)) as share
from steps
group by domain, provenance, step, position;

-- audit: routes_add_up: a candidate that stands for its group is accepted, discarded, reviewed, or waits
select domain, provenance, sum(case when step = 'distinct' then n_candidates else 0 end) as n_distinct,
    sum(case when position between 5 and 7 then n_candidates + n_waiting else 0 end) as n_routed
from construct_funnel
group by domain, provenance
having n_distinct <> n_routed;

-- audit: trials_of_candidates: a blind trial is about a candidate of the lake, or it would be left out
select candidate_id, reader
from blind_trials
left join candidates as c using (candidate_id)
where c.candidate_id is null;
