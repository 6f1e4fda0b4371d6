-- what: how often each value is annotated in each dimension
-- key: [benchmark, dimension, value]
-- source: CAPability Figure 6
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   dimension:
--   value: [varchar, "annotated value: a category, a number, a colour, a text"]
--   n_elements: [bigint, count, 1.., elements annotated with the value]
--   share: [double, percent, 0..100, share of the dimension's elements]
--   share_se: [double, percent, "standard error of share, clustered by media file; null for a single file of the dimension"]
--   rank: [bigint, rank, 1.., "place by n_elements within the dimension, ties by value"]
--   provenance: [varchar, [published], "published: annotations come with their benchmark"]
-- intervals:
--   share: share(n_all, clusters); effective media files of the dimension - 1 degrees of freedom

with by_media as (
    select benchmark, dimension, value, coalesce(nullif(media, ''), sample_id) as media, count(*) as n
    from annotations
    group by benchmark, dimension, value, coalesce(nullif(media, ''), sample_id)
),

files as (
    select benchmark, dimension, media, sum(n) as n_all
    from by_media
    group by benchmark, dimension, media
),

totals as (
    select benchmark, dimension, sum(n_all) as n_all, sum(n_all * n_all) as all_squares, count(*) as n_media
    from files
    group by benchmark, dimension
),

counted as (
    select
        m.benchmark, m.dimension, m.value,
        sum(m.n) as n_elements, sum(m.n * m.n) as squares, sum(m.n * f.n_all) as products
    from by_media as m
    inner join files as f on f.benchmark = m.benchmark and f.dimension = m.dimension and f.media = m.media
    group by m.benchmark, m.dimension, m.value
),

-- The squared deviations of the files, n - p * n_all each with p the share, add up to the sum of n^2 less 2 p times that of
-- n * n_all plus p^2 times that of n_all^2: files without the value need no rows.
shares as (
    select
        c.benchmark, c.dimension, c.value, c.n_elements, t.n_all, clusters_of(t.n_all, t.all_squares) as clusters,
        percent_of(c.n_elements, t.n_all) as share,
        cluster_error(
            greatest(
                c.squares - 2 * ratio_of(c.n_elements, t.n_all) * c.products
                + ratio_of(c.n_elements, t.n_all) * ratio_of(c.n_elements, t.n_all) * t.all_squares,
                0
            ),
            t.n_media, t.n_all
        ) as share_se
    from counted as c
    inner join totals as t on t.benchmark = c.benchmark and t.dimension = c.dimension
)

select
    benchmark, dimension, value, n_elements, share, share_se,
    row_number() over (partition by benchmark, dimension order by n_elements desc, value) as rank,
    'published' as provenance,
    n_all, clusters
from shares;
