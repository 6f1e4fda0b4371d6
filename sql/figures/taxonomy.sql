-- shows: What questions are asked about
-- paper: CaptionQA, Figure 14
-- reads: [taxonomy_nodes]

with nodes as (
    select
        domain, provenance, category, subcategory, n_below, place, category || '/' || subcategory as name,
        count(*) over (partition by domain, category) as n, row_number() over (partition by domain, category order by place) as i
    from taxonomy_nodes
    where level = 2 or level = 1 and n_below = 0
)

select
    *, arg_min(name, abs(i - (n + 1) // 2)) over (partition by domain, category) as trunk, case when i = (n + 1) // 2 then category end as branch,
    subcategory || case when n_below > 0 then format(' ({})', n_below) else '' end as leaf
from nodes
order by domain, place

VISUALISE name AS y
DRAW text MAPPING 1 AS x, leaf AS label SETTING hjust => 'left', offset => [2, 0]
DRAW segment MAPPING 0 AS x, trunk AS y, 1 AS xend, name AS yend, domain AS stroke
DRAW text MAPPING 0 AS x, branch AS label SETTING hjust => 'right', offset => [-2, 0], fontweight => 'bold'
SCALE x RENAMING * => ''
SCALE y RENAMING * => ''
FACET domain SETTING ncol => 2, free => 'y'
LABEL title => 'What questions are asked about', subtitle => 'Categories, subcategories and the number of aspects of each'
