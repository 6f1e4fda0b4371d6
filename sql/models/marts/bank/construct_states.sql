-- what: the step of the construction that each generated question has reached
-- key: [candidate_id]
-- source: "CaptionQA sections 4.3.2 and 4.3.3; captionlake run and captionlake bank read this model from the tables as
--     they are"
-- columns:
--   candidate_id: [varchar, candidate]
--   domain:
--   provenance: [varchar, "measured or simulated, of the candidate"]
--   state: [varchar, [malformed, not_tried, known, not_grouped, duplicate, distinct], "malformed: it cannot be asked;
--       not_tried: it has no blind trial; known: a reader, whichever it was, hit its key without the picture often
--       enough; not_grouped: it is in no group of duplicates; duplicate: another candidate stands for its group;
--       distinct: it goes to the validators"]
--   in_taxonomy: [boolean, whether the taxonomy of its domain has the node that it is about]

with tried as (
    select candidate_id, reader, count(*) as trials, count(*) filter (where hit) as hits
    from blind_trials
    group by candidate_id, reader
),

known as (
    select c.candidate_id, bool_or(t.hits >= blind_drop_at(len(c.options), t.trials)) as is_known
    from tried as t
    inner join candidates as c using (candidate_id)
    group by c.candidate_id
)

select
    c.candidate_id, c.domain, c.provenance,
    case
        when c.malformed <> '' then 'malformed'
        when k.is_known is null then 'not_tried'
        when k.is_known then 'known'
        when g.representative is null then 'not_grouped'
        when not g.representative then 'duplicate'
        else 'distinct'
    end as state,
    exists (
        select 1 from taxonomy as n
        where n.domain = c.domain and n.category = c.category and n.subcategory = c.subcategory and n.aspect = c.aspect
    ) as in_taxonomy
from candidates as c
left join known as k using (candidate_id)
left join question_groups as g using (candidate_id);
