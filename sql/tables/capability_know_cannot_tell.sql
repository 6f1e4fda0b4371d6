-- shows: What captioners of CAPability know but cannot tell (%)
-- paper: CAPability, Table 6
-- benchmark: capability
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: know_cannot_tell, decimals: 1, best: lowest, across: heading}

select
    captioner, captioner_name, judge, know_cannot_tell, know_cannot_tell_low, know_cannot_tell_high, coalesce(heading, 'Avg.') as heading,
    coalesce(place, 14) as across_place, k.provenance,
    'Judge ' || judge || case when repeat > 0 then ', repetition ' || repeat else '' end as section
from capability_know_cannot_tell as k
left join capability_rubric as r on k.benchmark = r.benchmark and k.dimension = r.dimension
where k.benchmark = 'capability' and know_cannot_tell is not null
order by
    judge, repeat,
    max(know_cannot_tell) filter (where k.dimension = 'average') over (partition by k.provenance, judge, repeat, captioner) nulls last,
    captioner_name
