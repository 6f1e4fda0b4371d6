-- shows: What questions are asked about
-- paper: CaptionQA, Figure 14
-- benchmark: captionqa
-- place: 5
-- parameters: {domain: null}

select
    domain, provenance, place, category || '/' || coalesce(subcategory, '') as name,
    if(level = 1, category, null) as branch,
    if(level = 2, subcategory || if(n_below > 0, format(' ({})', n_below), ''), null) as leaf,
    case when count_over(level = 1, provenance) > 1 then format(
        '{} categories with {} subcategories', count_over(level = 1, provenance), count_over(level = 2, provenance)
    ) end as title
from taxonomy_nodes
where level in (1, 2) and (getvariable('domain') is null or domain = getvariable('domain'))
order by domain_order(domain), domain, place

VISUALISE name AS y, 0 AS x
DRAW text MAPPING branch AS label SETTING hjust => 'left', fontweight => 'bold'
DRAW text MAPPING leaf AS label SETTING hjust => 'left', offset => [10, 0]
SCALE x FROM [0, 1] RENAMING * => ''
SCALE y RENAMING * => ''
FACET domain SETTING ncol => 2, free => 'y'
LABEL title => 'What questions are asked about',
    subtitle => 'Categories, their subcategories and the number of aspects of each'
