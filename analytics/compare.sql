-- From the table picked, the answers of items, to the difference of each two of them, in the order that @items has, in every domain and over
-- the mean of several. As in captionqa_scores, that is the mean of the published domains where there are any, and of the own ones elsewhere.
create or replace temp table compared as
with sides as (
    select unnest(@items) as item, unnest(range(len(@items))) as place
),

-- The images with questions that both sides have answers to: other answers would set one side's easy questions against the other's hard
-- ones. Correct answers are counted in parts of a score.
images as (
    select
        x.place as place_a, y.place as place_b, x.item as a, y.item as b, p.domain, p.image_id, sum(p.n) as n_a, sum(q.n) as n_b,
        sum(p.parts) as score_a, sum(q.parts) as score_b,
        sum(p.correct) * score_parts(1) as correct_a, sum(q.correct) * score_parts(1) as correct_b
    from sides as x
    inner join sides as y on y.place > x.place
    inner join picked as p on p.item = x.item
    inner join picked as q using (condition, question_id, image_id, domain)
    where q.item = y.item
    group by all
),

-- What an image moves the difference: what each side has more or less than its mean predicts.
moved as (
    select
        *, share_part(part_a, n_a, sum(part_a) over cell, sum(n_a) over cell)
            - share_part(part_b, n_b, sum(part_b) over cell, sum(n_b) over cell) as moves
    from (
        select place_a, place_b, a, b, domain, n_a, n_b, metric, part_a, part_b
        from images
        cross join lateral (values ('score', score_a, score_b), ('accuracy', correct_a, correct_b)) as m (metric, part_a, part_b)
    ) as i
    window cell as (partition by place_a, place_b, metric, domain)
),

domains as (
    select
        place_a, place_b, a, b, metric, domain, score_of_parts(percent_of(sum(part_a), sum(n_a))) as mean_a,
        score_of_parts(percent_of(sum(part_b), sum(n_b))) as mean_b,
        parts_variance(sum(exact_square(score_of_parts(moves))), count(*)) as variance,
        least(effective_clusters(n_a), effective_clusters(n_b)) as clusters, count(*) as images, sum(n_a) as questions,
        bool_or(is_published_domain(domain)) over (partition by place_a, place_b, metric) as published
    from moved
    group by place_a, place_b, a, b, metric, domain
),

-- Domains share no images: their variances are added. Effective is the effective number of images, clusters what degrees of freedom follow
-- from.
estimates as (
    select *, clusters as effective, 1 as n_domains
    from domains
    union all by name
    select
        place_a, place_b, a, b, metric, 'Overall' as domain, avg(mean_a) as mean_a, avg(mean_b) as mean_b,
        case when count(variance) = count(*) then sum(variance) / (count(*) * count(*)) end as variance,
        domain_clusters(clusters) as clusters, sum(clusters) as effective, sum(images) as images, sum(questions) as questions,
        count(*) as n_domains
    from domains
    where is_published_domain(domain) or not published
    group by place_a, place_b, a, b, metric
    having count(*) > 1
)

select
    *, mean_a - mean_b as difference, difference_low(mean_a, mean_b, se, questions, clusters) as low,
    difference_high(mean_a, mean_b, se, questions, clusters) as high, difference_p(mean_a - mean_b, low, high, clusters) as p,
    se * se <= 1e-14 as alike, -- How much images vary is then unknown rather than nothing, and any number of them would be made up.
    case when not alike then images_for(se * sqrt(images), @points, 0, n_domains, effective / images) end as to_tell,
    case when not alike then images_for(se * sqrt(images), @points, @power, n_domains, effective / images) end as for_power
from (select *, case when t_quantile(clusters - 1) is not null then sqrt(cast(variance as double)) end as se from estimates) as e;

-- The p-values of a metric are corrected after Holm (1979): the k-th smallest of m is multiplied by m - k + 1, and none is below the one
-- before it.
select cast(to_json(list({
    'a': a, 'b': b, 'metric': metric, 'domain': domain, 'mean_a': mean_a, 'mean_b': mean_b, 'difference': difference, 'se': se,
    'alike': coalesce(alike, false), 'low': low, 'high': high, 'p': p, 'p_holm': p_holm, 'images': images, 'questions': questions,
    'images_to_tell': cast(to_tell as bigint), 'images_for_power': cast(for_power as bigint)
} order by place_a, place_b, metric desc, domain = 'Overall', not is_published_domain(domain), domain_place(domain), domain)) as varchar)
from (
    select *, case when p is not null then least(1, max(p * (n - k + 1)) over (partition by metric order by k)) end as p_holm
    from (
        select *, count(p) over (partition by metric) as n, row_number() over (partition by metric order by p, place_a, place_b, domain) as k
        from compared
    ) as ranked
) as corrected;
