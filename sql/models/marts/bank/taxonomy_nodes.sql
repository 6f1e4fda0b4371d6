-- what: the taxonomy of every domain with the number of nodes below each
-- key: [domain, category, subcategory, aspect]
-- source: CaptionQA Tables 5 to 8 and Figure 14
-- columns:
--   domain: [varchar, domain that the taxonomy describes]
--   category: [varchar, first level]
--   subcategory: [varchar, second level; empty on the row of a category]
--   aspect: [varchar, third level; empty on the rows above it]
--   provenance: [varchar, [published, measured], "published for the domains of the paper, whose taxonomies it prints; measured for others"]
--   level: [bigint, rank, 1..3, "1 category, 2 subcategory, 3 aspect"]
--   place: [bigint, rank, 1.., "place in the taxonomy, a node before those below it"]
--   examples: ["varchar[]", examples that the taxonomy gives for the node]
--   n_below: [bigint, count, 0.., "nodes on the next level below: subcategories of a category, aspects of a subcategory"]

with below as (
    select domain, category, case level when 3 then subcategory else '' end as subcategory, level - 1 as level, count(*) as n_below
    from taxonomy
    where level > 1
    group by domain, category, case level when 3 then subcategory else '' end, level
)

select
    domain, category, subcategory, aspect, case when is_published_domain(domain) then 'published' else 'measured' end as provenance,
    level, row_number() over (partition by domain order by ordinal) as place, examples, coalesce(n_below, 0) as n_below
from taxonomy
left join below using (domain, category, subcategory, level);

-- audit: parent_before_child: whatever is below a node comes after it
select n.domain, n.category, n.subcategory, n.aspect
from taxonomy_nodes as n
left join taxonomy_nodes as p
    on p.domain = n.domain and p.category = n.category and p.level = n.level - 1 and p.place < n.place
    and p.subcategory = case n.level when 3 then n.subcategory else '' end
where n.level > 1 and p.domain is null;
