-- what: how often each value is annotated in each dimension
-- key: [benchmark, dimension, value]
-- source: CAPability Figure 6
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   dimension:
--   value: [varchar, "annotated value: a category, a number, a colour, a text"]
--   n_elements: [bigint, count, 1.., elements annotated with the value]
--   rank: [bigint, rank, 1.., "place by n_elements within the dimension, ties by value"]
--   provenance: [varchar, [published], "published: annotations come with their benchmark"]

select
    benchmark, dimension, value, count(*) as n_elements,
    row_number() over (partition by benchmark, dimension order by count(*) desc, value) as rank,
    'published' as provenance
from annotations
group by benchmark, dimension, value;
