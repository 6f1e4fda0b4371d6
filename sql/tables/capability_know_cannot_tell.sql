-- for:
--   capability_know_cannot_tell: {metric: know_cannot_tell, title: What captioners of CAPability know but cannot tell,
--     best: lowest,
--     asks: "What do models know and not tell?", order: asc}
--   capability_qa_accuracy: {metric: qa_accuracy, title: Accuracy on the questions of CAPability, best: highest, asks:
--     "What do models know?", order: desc}
-- shows: $title (%)
-- asks: $asks
-- paper: CAPability, Table 6
-- benchmark: capability
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: $metric, decimals: 1, best: $best, across: heading}

select
    captioner, captioner_name, judge, $metric, $metric_low, $metric_high, coalesce(heading, 'Avg.') as heading,
    coalesce(place, 14) as across_place, k.provenance,
    'Judge ' || judge || case when repeat > 0 then ', repetition ' || repeat else '' end as section
from capability_know_cannot_tell as k
left join capability_rubric as r on k.benchmark = r.benchmark and k.dimension = r.dimension
where k.benchmark = 'capability' and $metric is not null
order by
    judge, repeat,
    max($metric) filter (where k.dimension = 'average') over (partition by k.provenance, judge, repeat,
        captioner) $order nulls last,
    captioner_name
