-- what: the nodes of every domain's taxonomy, each with the number of nodes below it
-- key: [domain, category, subcategory, aspect]
-- source: CaptionQA Tables 5 to 8 and Figure 14
-- columns:
--   domain: [varchar, domain that the taxonomy describes]
--   category: [varchar, first level]
--   subcategory: [varchar, second level; empty on the row of a category]
--   aspect: [varchar, third level; empty on the rows above it]
--   provenance: [varchar, [published, measured], "published for the domains of the paper, which prints their
--       taxonomies; measured for others"]
--   level: [bigint, rank, 1..3, "1 category, 2 subcategory, 3 aspect"]
--   place: [bigint, rank, 1.., "place in the taxonomy; a node comes before the nodes below it"]
--   examples: ["varchar[]", examples that the taxonomy gives for the node]
--   n_below: [bigint, count, 0.., "nodes on the next level below: subcategories of a category, aspects of a
--       subcategory"]

select
    domain, category, subcategory, aspect, case when is_published_domain(domain) then 'published'
        else 'measured' end as provenance,
    level, row_number() over (partition by domain order by ordinal) as place, examples,
    case level when 1 then count(*) filter (where level = 2) over (partition by domain, category)
        when 2 then count(*) filter (where level = 3) over (partition by domain, category, subcategory)
            else 0 end as n_below
from taxonomy;

-- audit: parent_before_child: whatever is below a node comes after it
select domain, category, subcategory, aspect
from (
    select
        *, case level when 2 then min(place) filter (where level = 1) over (partition by domain, category)
            when 3 then min(place) filter (where level = 2) over (partition by domain, category, subcategory) end
                as parent_place
    from taxonomy_nodes
) as n
where level > 1 and coalesce(parent_place > place, true);
