-- shows: What CAPability annotates
-- no_demo: "it has no annotations"
-- paper: CAPability, Figure 6
-- benchmark: capability
-- place: 3

with counted as (
    select dimension, value, count(*) as n_elements
    from annotations
    where benchmark = 'capability'
    group by dimension, value
),

placed as (select *, row_number() over (partition by dimension order by n_elements desc, value) as place from counted)

select
    'published' as provenance, v.value, v.n_elements, r.view,
    format('{}: {:,} values', r.name, r.n_values) as facet,
    case when distinct_over(r.name, true) > 1 then format('CAPability annotates {} dimensions',
        distinct_over(r.name, true)) end as title
from placed as v
inner join capability_rubric as r using (dimension)
where r.benchmark = 'capability' and v.place <= 7
order by list_position(list_value('object', 'global', 'text', 'camera', 'temporal', 'knowledge'), r.view), r.place,
    v.place

VISUALISE value AS y
DRAW bar MAPPING n_elements AS x SETTING fill => '#b4b4b4'
DRAW text MAPPING n_elements AS x, n_elements AS label SETTING hjust => 'left', offset => [3, 0]
SCALE x RENAMING * => ''
FACET facet SETTING ncol => 3, free => ['x', 'y']
LABEL title => 'What CAPability annotates',
    subtitle => 'Elements with a value, its seven most frequent ones; dimensions by view'
