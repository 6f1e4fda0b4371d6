-- From the table pairs, with places in @items as sides, the difference of each two items in every domain and over the
-- mean of several. As in captionqa_scores, this is the mean of the published domains if there are any, and otherwise of
-- the user's own domains.
create or replace temp table compared as
with domains as (
    select
        *, is_published_domain(domain) as of_paper, bool_or(is_published_domain(domain)) over cell as any_of_paper,
        count(*) over (partition by a_id, b_id, metric, is_published_domain(domain)) as n_domains
    from paired_means('pairs')
    window cell as (partition by a_id, b_id, metric)
),

-- effective is the effective number of images; the degrees of freedom follow from clusters.
estimates as (
    select a_id, b_id, metric, domain, mean_a, mean_b, se, clusters, clusters as effective, n_images, n_answers,
        1 as n_domains
    from domains
    union all
    select
        a_id, b_id, metric,
        case when not of_paper or n_domains = n_published_domains() then 'Overall'
            else string_agg(domain, ', ' order by domain) end,
        domain_mean(mean_a, n_domains), domain_mean(mean_b, n_domains),
        domain_error(se, difference_error(mean_a, mean_b, se, n_answers, clusters), n_domains),
        domain_clusters(clusters), sum(clusters), sum(n_images), sum(n_answers), n_domains
    from domains
    where of_paper = any_of_paper and n_domains > 1
    group by a_id, b_id, metric, of_paper, n_domains
)

select
    * replace (case when t_quantile(clusters - 1) is not null then se end as se),
    mean_a - mean_b as difference, difference_low(mean_a, mean_b, se, n_answers, clusters) as low,
    difference_high(mean_a, mean_b, se, n_answers, clusters) as high,
    difference_p(mean_a - mean_b, low, high, clusters) as p,
    -- The variation of images is then unknown, and not 0, so any required number of images would be made up.
    se * se <= 1e-14 as alike,
    case when not alike then images_for(se * sqrt(n_images), @points, 0, n_domains, effective / n_images) end
        as to_tell,
    case when not alike then images_for(se * sqrt(n_images), @points, @power, n_domains, effective / n_images) end
        as for_power
from estimates;

-- The p-values of a metric are corrected after Holm (1979): the k-th smallest of m is multiplied by m - k + 1, and none
-- is below the one before it.
select
    items[a_id + 1] as a, items[b_id + 1] as b, metric, domain, mean_a, mean_b, difference, se,
    coalesce(alike, false) as alike, low, high, p, p_holm,
    n_images as images, n_answers as questions, cast(to_tell as bigint) as images_to_tell,
    cast(for_power as bigint) as images_for_power
from (
    select *, case when p is not null then least(1, max(p * (n - k + 1)) over (partition by metric order by k)) end
        as p_holm, @items as items
    from (
        select *, count(p) over (partition by metric) as n,
            row_number() over (partition by metric order by p, a_id, b_id, domain) as k
        from compared
    ) as ranked
) as corrected
order by a_id, b_id, metric desc, n_domains > 1, domain_place(domain), domain;
