-- shows: What CAPability annotates
-- no_demo: "it has no annotations"
-- paper: CAPability, Figure 6
-- reads: [capability_values, capability_rubric]
-- all: true

select
    v.provenance, v.value, v.n_elements, r.view,
    format('{}: {:,} values', r.name, r.n_values) as facet,
    format('CAPability annotates {} dimensions', count(distinct r.name) over (partition by v.provenance)) as title
from capability_values as v
inner join capability_rubric as r using (benchmark, dimension)
where v.benchmark = 'capability' and v.rank <= 7
order by list_position(['object', 'global', 'text', 'camera', 'temporal', 'knowledge'], r.view), r.place, v.rank

VISUALISE value AS y
DRAW bar MAPPING n_elements AS x SETTING fill => '#b4b4b4'
DRAW text MAPPING n_elements AS x, n_elements AS label SETTING hjust => 'left', offset => [3, 0]
SCALE x RENAMING * => ''
FACET facet SETTING ncol => 3, free => ['x', 'y']
LABEL title => 'What CAPability annotates', subtitle => 'Elements with a value, its seven most frequent ones; dimensions by view'
