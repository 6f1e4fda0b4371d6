-- model: capability_values
-- what: how often each value is annotated in each dimension
-- grain: one row per benchmark, dimension and annotated value
-- key: benchmark, dimension, value
-- inputs: annotations
-- source: CAPability Figure 6
-- columns:
--   benchmark   varchar  -        capability or cv-capbench
--   dimension   varchar  -        dimension
--   value       varchar  -        annotated value: a category, a number, a colour, a text
--   n_elements  bigint   count    elements annotated with the value
--   share       double   percent  share of the dimension's elements
--   rank        bigint   rank     place by n_elements within the dimension, ties by value
--   provenance  varchar  -        published: annotations come with their benchmark
-- checks:
--   n_elements >= 1
--   share between 0 and 100
--   rank >= 1
--   provenance in published

with counted as (
    select benchmark, dimension, value, count(*) as n_elements
    from annotations
    group by benchmark, dimension, value
)

select
    cast(benchmark as varchar) as benchmark,
    cast(dimension as varchar) as dimension,
    cast(value as varchar) as value,
    cast(n_elements as bigint) as n_elements,
    cast(percent_of(n_elements, sum(n_elements) over (partition by benchmark, dimension)) as double) as share,
    cast(row_number() over (partition by benchmark, dimension order by n_elements desc, value) as bigint) as rank,
    cast('published' as varchar) as provenance
from counted;
