-- shows: Accuracy on the questions of CAPability (%)
-- paper: CAPability, Table 6
-- benchmark: capability
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: qa_accuracy, decimals: 1, best: highest, across: heading}

select
    captioner, captioner_name, judge, qa_accuracy, qa_accuracy_low, qa_accuracy_high, coalesce(heading, 'Avg.') as heading,
    coalesce(place, 14) as across_place, k.provenance,
    'Judge ' || judge || case when repeat > 0 then ', repetition ' || repeat else '' end as section
from capability_know_cannot_tell as k
left join capability_rubric as r on k.benchmark = r.benchmark and k.dimension = r.dimension
where k.benchmark = 'capability' and qa_accuracy is not null
order by
    judge, repeat,
    max(qa_accuracy) filter (where k.dimension = 'average') over (partition by k.provenance, judge, repeat, captioner) desc nulls last,
    captioner_name
