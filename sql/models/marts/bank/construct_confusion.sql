-- what: the choices of one validator against the choices of another one, on the same candidates
-- key: [domain, provenance, validator_a, validator_b, choice_a, choice_b]
-- source: "CaptionQA section 4.4: two validators, and four flags beside the options"
-- columns:
--   domain:
--   provenance: [varchar, "measured or simulated, of the two the one that is believed less"]
--   validator_a: [varchar, model_id of the validator whose name comes first]
--   validator_b: [varchar, model_id of the other]
--   choice_a: [varchar, [key, other, ambiguous, unanswerable, unsuitable, none, unparsed, failed], "choice of
--       validator_a; other: an option that is not the key"]
--   choice_b: [varchar, [key, other, ambiguous, unanswerable, unsuitable, none, unparsed, failed], "choice of
--       validator_b"]
--   n_candidates: [bigint, count, 1.., candidates with these choices]
--   n_images: [bigint, count, 1.., items of them]
--   n_same: [bigint, count, 0.., "candidates of which both chose the same: the same option or the same flag"]

with choices as (
    select
        c.domain, c.image_id, candidate_id, v.provenance, v.validator, v.choice_index,
        case when v.agrees_key then 'key' when v.choice = 'option' then 'other' else v.choice end as choice
    from validations as v
    inner join candidates as c using (candidate_id)
)

select
    a.domain, weaker_provenance(a.provenance, b.provenance) as provenance, a.validator as validator_a,
    b.validator as validator_b,
    a.choice as choice_a, b.choice as choice_b, count(*) as n_candidates, count(distinct a.image_id) as n_images,
    count(*) filter (
        where a.choice = b.choice and a.choice_index is not distinct from b.choice_index
            and a.choice not in ('unparsed', 'failed')
    ) as n_same
from choices as a
inner join choices as b on b.candidate_id = a.candidate_id and a.validator < b.validator
group by a.domain, weaker_provenance(a.provenance, b.provenance), a.validator, b.validator, a.choice, b.choice;

-- audit: validations_of_candidates: a validation is about a candidate of the lake, or it would be left out
select candidate_id, validator
from validations
left join candidates as c using (candidate_id)
where c.candidate_id is null;
