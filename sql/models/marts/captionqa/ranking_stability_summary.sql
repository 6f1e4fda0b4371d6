-- what: "how many random images keep the ranking of captioners: the smallest size from which on the agreement stays above a bound"
-- key: [protocol, reader, prompt, provenance, domain, metric]
-- source: "CaptionQA section 11: rho above 0.95 with 10 % of the images, 30 to 50 images per domain"
-- columns:
--   protocol, reader, prompt, provenance, domain:
--   metric: [varchar, [accuracy, score]]
--   all_images: [bigint, count, 1.., images of the domain]
--   n_models: [bigint, count, captioners ranked]
--   n_trials: [bigint, count, random orders of the images]
--   mean_images: [bigint, count, 1.., smallest k from which on the mean of Spearman's rho over trials is above 0.95 for every size; null if
--       there is none]
--   mean_share: [double, percent, mean_images as a share of all images]
--   trial_images: [bigint, count, 1.., smallest k from which on at least 95 % of the trials have a rho above 0.95]
--   trial_share: [double, percent, trial_images as a share of all images]
--   kendall_images: [bigint, count, 1.., smallest k from which on the mean of Kendall's tau-b is above 0.95]
--   kendall_share: [double, percent, kendall_images as a share of all images]
--   spearman_tenth: [double, correlation, "mean rho with one tenth of the images, rounded up"]
--   kendall_tenth: [double, correlation, "mean tau-b with one tenth of the images, rounded up"]
-- intervals:
--   spearman_tenth, kendall_tenth: given; as in ranking_stability

-- A size fails if its agreement is not above the bound; the ranking is kept from the size after the last that fails.
with lasting as (
    select
        protocol, reader, prompt, provenance, domain, metric, all_images, n_models, n_trials,
        coalesce(max(case when coalesce(spearman, 0) <= 0.95 then n_images end), 0) + 1 as mean_images,
        coalesce(max(case when share_above < 0.95 then n_images end), 0) + 1 as trial_images,
        coalesce(max(case when coalesce(kendall, 0) <= 0.95 then n_images end), 0) + 1 as kendall_images
    from ranking_stability
    group by protocol, reader, prompt, provenance, domain, metric, all_images, n_models, n_trials
)

select
    protocol, reader, prompt, provenance, domain, metric, l.all_images, l.n_models, l.n_trials,
    nullif(l.mean_images, l.all_images + 1) as mean_images,
    percent_of(nullif(l.mean_images, l.all_images + 1), l.all_images) as mean_share,
    nullif(l.trial_images, l.all_images + 1) as trial_images,
    percent_of(nullif(l.trial_images, l.all_images + 1), l.all_images) as trial_share,
    nullif(l.kendall_images, l.all_images + 1) as kendall_images,
    percent_of(nullif(l.kendall_images, l.all_images + 1), l.all_images) as kendall_share,
    r.spearman as spearman_tenth, r.spearman_low as spearman_tenth_low, r.spearman_high as spearman_tenth_high,
    r.kendall as kendall_tenth, r.kendall_low as kendall_tenth_low, r.kendall_high as kendall_tenth_high
from lasting as l
inner join ranking_stability as r using (protocol, reader, prompt, provenance, domain, metric)
where r.n_images = ceil(l.all_images / 10.0);

-- audit: kept_to_the_end: from the size found on, the mean of rho is above the bound at every size
select s.protocol, s.reader, s.domain, s.metric, s.mean_images, r.n_images, r.spearman
from ranking_stability_summary as s
inner join ranking_stability as r using (protocol, reader, prompt, provenance, domain, metric)
where r.n_images >= s.mean_images and r.spearman <= 0.95;
