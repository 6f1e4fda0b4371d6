-- model: ranking_stability
-- what: how well a ranking of captioners over k random images agrees with the ranking over all images, for every k
-- grain: one row per protocol, reader, prompt, provenance, domain, metric and number of images; QA-on-caption only
-- key: [protocol, reader, prompt, provenance, domain, metric, n_images]
-- inputs: [captionqa_image_sums]
-- source: CaptionQA section 11 and Figures 15 and 16 (accuracy, score); the paper has 10 trials per size
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the model that answered]
--   prompt: [varchar, "caption prompt: the one that the run chose, Simple unless told otherwise"]
--   provenance: [varchar, "published, measured or simulated"]
--   domain: [varchar, domain]
--   metric: [varchar, [accuracy, score]]
--   n_images: [bigint, count, 1.., "k, images drawn"]
--   all_images: [bigint, count, "images of the domain: the greatest k"]
--   n_models: [bigint, count, 2.., "captioners ranked: those with answers for every image of the domain; at least 2"]
--   n_trials: [bigint, count, 1.., random orders of the images; each gives one subset of every size]
--   n_defined: [bigint, count, "trials in which not all captioners are tied, so that a correlation exists"]
--   spearman: [double, correlation, -1.000000001..1.000000001, "mean over trials of Spearman's rho against the full ranking, ties at mean
--       ranks"]
--   spearman_sd: [double, correlation, standard deviation of rho over trials; null for one trial]
--   spearman_min: [double, correlation, smallest rho]
--   kendall: [double, correlation, -1.000000001..1.000000001, mean over trials of Kendall's tau-b against the full ranking]
--   kendall_sd: [double, correlation, standard deviation of tau-b over trials; null for one trial]
--   kendall_min: [double, correlation, smallest tau-b]
--   share_above: [double, share, 0..1, share of the trials whose rho is above 0.95]
-- intervals:
--   spearman: "t(spearman_sd / sqrt(n_defined), n_defined); trials - 1 degrees of freedom, : it tells how well the random orders were
--       averaged, the images being those of the bank"
--   kendall: "t(kendall_sd / sqrt(n_defined), n_defined); trials - 1 degrees of freedom, : it tells how well the random orders were
--       averaged, the images being those of the bank"

with sums as (
    select protocol, reader, prompt, provenance, domain, model_id, image_id, n_answers, n_correct, score_parts
    from captionqa_image_sums
    where evidence = 'caption' and prompt = stability_prompt()
),

per_image as (
    select
        protocol, reader, prompt, provenance, domain, model_id, image_id,
        -- Whole numbers below 2^53 stay whole as doubles, and doubles are quicker to add.
        cast(sum(n_answers) as double) as n_answers,
        cast(sum(n_correct) as double) as n_correct,
        cast(sum(score_parts) as double) as score_parts
    from sums
    group by protocol, reader, prompt, provenance, domain, model_id, image_id
),

coverage as (
    select
        protocol, reader, prompt, provenance, domain, model_id,
        count(*) as n_images,
        max(count(*)) over (partition by protocol, reader, prompt, provenance, domain) as all_images,
        sum(n_answers) as n_answers, sum(n_correct) as n_correct, sum(score_parts) as score_parts
    from per_image
    group by protocol, reader, prompt, provenance, domain, model_id
),

-- A number for each ranking and each captioner: what follows is a join of millions of rows.
contestants as (
    select
        protocol, reader, prompt, provenance, domain, model_id, all_images,
        cast(dense_rank() over (order by protocol, reader, prompt, provenance, domain) as integer) as ranking,
        cast(row_number() over (partition by protocol, reader, prompt, provenance, domain order by model_id) as integer) as place,
        count(*) over (partition by protocol, reader, prompt, provenance, domain) as n_models,
        n_correct / n_answers as accuracy,
        score_parts / n_answers as score
    from coverage
    where n_images = all_images
),

-- Mean ranks of the full rankings: ties share the mean of their places.
full_ranks as (
    select
        ranking, place,
        (rank() over (partition by ranking order by accuracy) + count(*) over (partition by ranking order by accuracy)) / 2.0
            as accuracy_rank,
        (rank() over (partition by ranking order by score) + count(*) over (partition by ranking order by score)) / 2.0
            as score_rank
    from contestants
    where n_models >= 2
),

images as (
    select distinct c.ranking, c.domain, p.image_id
    from contestants as c
    inner join per_image as p
        on p.protocol = c.protocol and p.reader = c.reader and p.prompt = c.prompt and p.provenance = c.provenance
        and p.domain = c.domain and p.model_id = c.model_id
),

orders as (
    select
        i.ranking, i.image_id,
        -- One number names ranking and trial, then ranking, trial and size: there are fewer than a million of each.
        cast(i.ranking as bigint) * 1000000 + t.i as draw,
        row_number() over (
            partition by i.ranking, t.i
            order by random_of(sampling_seed(), i.domain, t.i, i.image_id), i.image_id
        ) as k
    from images as i
    cross join numbers_to(stability_trials()) as t
),

measurements as (
    select
        c.ranking, c.place, p.image_id, p.n_answers, p.n_correct, p.score_parts, f.accuracy_rank, f.score_rank
    from contestants as c
    inner join full_ranks as f on f.ranking = c.ranking and f.place = c.place
    inner join per_image as p
        on p.protocol = c.protocol and p.reader = c.reader and p.prompt = c.prompt and p.provenance = c.provenance
        and p.domain = c.domain and p.model_id = c.model_id
),

subsets as (
    select
        o.draw * 1000000 + o.k as subset,
        m.place,
        sum(m.n_correct) over so_far / sum(m.n_answers) over so_far as accuracy,
        sum(m.score_parts) over so_far / sum(m.n_answers) over so_far as score,
        m.accuracy_rank,
        m.score_rank
    from measurements as m
    inner join orders as o on o.ranking = m.ranking and o.image_id = m.image_id
    window so_far as (partition by o.draw, m.place order by o.k rows unbounded preceding)
),

subset_ranks as (
    select
        subset, accuracy_rank, score_rank,
        (rank() over by_accuracy + count(*) over by_accuracy) / 2.0 as accuracy_here,
        (rank() over by_score + count(*) over by_score) / 2.0 as score_here
    from subsets
    window
        by_accuracy as (partition by subset order by accuracy),
        by_score as (partition by subset order by score)
),

-- Sums of halves are exact, so rho does not depend on the order of the rows.
rank_sums as (
    select
        subset,
        count(*) as n,
        (count(*) + 1) / 2.0 as middle,
        sum(accuracy_here * accuracy_rank) as accuracy_products,
        sum(accuracy_here * accuracy_here) as accuracy_squares,
        sum(accuracy_rank * accuracy_rank) as accuracy_full_squares,
        sum(score_here * score_rank) as score_products,
        sum(score_here * score_here) as score_squares,
        sum(score_rank * score_rank) as score_full_squares
    from subset_ranks
    group by subset
),

pair_sums as (
    select
        a.subset,
        sum(sign(a.accuracy - b.accuracy) * sign(a.accuracy_rank - b.accuracy_rank)) as accuracy_agreement,
        sum(abs(sign(a.accuracy - b.accuracy))) as accuracy_untied,
        sum(abs(sign(a.accuracy_rank - b.accuracy_rank))) as accuracy_full_untied,
        sum(sign(a.score - b.score) * sign(a.score_rank - b.score_rank)) as score_agreement,
        sum(abs(sign(a.score - b.score))) as score_untied,
        sum(abs(sign(a.score_rank - b.score_rank))) as score_full_untied
    from subsets as a
    inner join subsets as b on b.subset = a.subset and a.place < b.place
    group by a.subset
),

correlations as (
    select
        r.subset, metrics.metric,
        case
            when metrics.metric = 'accuracy' then
                (accuracy_products - n * middle * middle)
                / nullif(sqrt((accuracy_squares - n * middle * middle) * (accuracy_full_squares - n * middle * middle)), 0)
            else
                (score_products - n * middle * middle)
                / nullif(sqrt((score_squares - n * middle * middle) * (score_full_squares - n * middle * middle)), 0)
        end as rho,
        case
            when metrics.metric = 'accuracy' then accuracy_agreement / nullif(sqrt(accuracy_untied * accuracy_full_untied), 0)
            else score_agreement / nullif(sqrt(score_untied * score_full_untied), 0)
        end as tau
    from rank_sums as r
    inner join pair_sums as p on p.subset = r.subset
    cross join (values ('accuracy'), ('score')) as metrics (metric)
),

over_trials as (
    select
        subset // 1000000000000 as ranking,
        subset % 1000000 as k,
        metric,
        count(*) as n_trials,
        count(rho) as n_defined,
        sum(exact(rho)) as rho_sum,
        sum(exact_square(rho)) as rho_squares,
        min(rho) as rho_min,
        sum(exact(tau)) as tau_sum,
        sum(exact_square(tau)) as tau_squares,
        min(tau) as tau_min,
        sum(case when rho > 0.95 then 1 else 0 end) as n_above
    from correlations
    group by subset // 1000000000000, subset % 1000000, metric
),

measured as (
    select
        ranking, k, metric, n_trials, n_defined, rho_min, tau_min, n_above,
        ratio_of(rho_sum, n_defined) as spearman,
        deviation_of(rho_sum, rho_squares, n_defined) as spearman_sd,
        ratio_of(tau_sum, n_defined) as kendall,
        deviation_of(tau_sum, tau_squares, n_defined) as kendall_sd
    from over_trials
),

named as (
    select distinct ranking, protocol, reader, prompt, provenance, domain, all_images, n_models
    from contestants
)

select
    n.protocol, n.reader, n.prompt, n.provenance, n.domain, o.metric,
    o.k as n_images,
    n.all_images, n.n_models, o.n_trials, o.n_defined, o.spearman, o.spearman_sd,
    o.rho_min as spearman_min,
    o.kendall, o.kendall_sd,
    o.tau_min as kendall_min,
    ratio_of(o.n_above, o.n_trials) as share_above
from measured as o
inner join named as n on n.ranking = o.ranking;

-- audit: all_images_agree: with every image drawn the ranking is the full ranking
select protocol, reader, prompt, provenance, domain, metric, n_images, spearman_min, kendall_min
from ranking_stability
where n_images = all_images and (spearman_min < 0.999999999 or kendall_min < 0.999999999);

-- audit: every_size: each size from one image to all of them is there
select protocol, reader, prompt, provenance, domain, metric, count(*) as n_sizes, max(all_images) as all_images
from ranking_stability
group by protocol, reader, prompt, provenance, domain, metric
having count(*) <> max(all_images);
