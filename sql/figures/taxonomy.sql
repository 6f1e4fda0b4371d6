-- shows: What questions are asked about
-- paper: CaptionQA, Figure 14
-- benchmark: captionqa
-- place: 5
-- parameters: {domain: null}

select
    domain, provenance, place, category || '/' || coalesce(subcategory, '') as name, if(level = 1, category, null) as branch,
    if(level = 2, subcategory || if(n_below > 0, format(' ({})', n_below), ''), null) as leaf,
    case when count(*) filter (where level = 1) over board > 1 then format(
        '{} categories with {} subcategories', count(*) filter (where level = 1) over board, count(*) filter (where level = 2) over board
    ) end as title
from taxonomy_nodes
where level in (1, 2) and ($domain is null or domain = $domain)
window board as (partition by provenance)
order by domain, place

VISUALISE name AS y, 0 AS x
DRAW text MAPPING branch AS label SETTING hjust => 'left', fontweight => 'bold'
DRAW text MAPPING leaf AS label SETTING hjust => 'left', offset => [10, 0]
SCALE x FROM [0, 1] RENAMING * => ''
SCALE y RENAMING * => ''
FACET domain SETTING ncol => 2, free => 'y'
LABEL title => 'What questions are asked about', subtitle => 'Categories, their subcategories and the number of aspects of each'
