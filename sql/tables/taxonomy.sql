-- shows: Taxonomy of each domain
-- paper: CaptionQA, Tables 5 to 8
-- benchmark: captionqa
-- each: item
-- columns:
--   - {name: subcategory, once: true}
--   - {name: aspect}
--   - {name: shown, head: Examples, prose: true}

with nodes as (
    select
        *, category as section, array_to_string(examples, ', ') as shown,
        list_position(['Natural', 'Document', 'E-commerce', 'Embodied AI'], domain) as published_place,
        format(
            '{} categories, {} subcategories and {} aspects.', count(*) filter (where level = 1) over board,
            count(*) filter (where level = 2) over board, count(*) filter (where level = 3) over board
        ) as note
    from taxonomy_nodes
    window board as (partition by provenance, domain)
)

select
    *, 'Taxonomy of the ' || domain || ' domain' as title,
    coalesce('CaptionQA, Table ' || (4 + published_place), 'as CaptionQA, Tables 5–8, for another domain') as paper,
    coalesce('table_0' || (4 + published_place) || '_', '') || 'taxonomy_' || replace(domain, '-', '') as item
from nodes
where n_below = 0
order by published_place, domain, place
