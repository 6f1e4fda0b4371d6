-- shows: Images that keep the ranking of captioners
-- asks: How many pictures does a stable ranking need?
-- about: k is the smallest number of random images from which on the agreement with the ranking over all images stays
--     above the bound.
-- paper: CaptionQA, Figures 15 and 16
-- benchmark: captionqa
-- columns:
--   - {name: domain}
--   - {name: all_images, head: Images, decimals: 0}
--   - {name: n_models, head: Captioners, decimals: 0}
--   - {name: n_trials, head: Trials, decimals: 0}
--   - {name: mean_images, head: "k: mean ρ > 0.95", decimals: 0}
--   - {name: mean_share, head: "% of images", decimals: 1}
--   - {name: trial_images, head: "k: 95% of trials", decimals: 0}
--   - {name: trial_share, head: "% of images", decimals: 1}
--   - {name: kendall_images, head: "k: mean τ > 0.95", decimals: 0}
--   - {name: kendall_share, head: "% of images", decimals: 1}
--   - {name: spearman_tenth, head: "ρ at 10%", decimals: 3}
--   - {name: kendall_tenth, head: "τ at 10%", decimals: 3}

-- A size fails if its agreement is not above the bound; the ranking is kept from the size after the last that fails.
with lasting as (
    select
        protocol, reader, prompt, provenance, domain, metric, all_images, n_models, n_trials,
        nullif(coalesce(max(n_images) filter (where coalesce(spearman, 0) <= 0.95), 0) + 1,
            all_images + 1) as mean_images,
        nullif(coalesce(max(n_images) filter (where share_above < 0.95), 0) + 1, all_images + 1) as trial_images,
        nullif(coalesce(max(n_images) filter (where coalesce(kendall, 0) <= 0.95), 0) + 1,
            all_images + 1) as kendall_images,
        ceil(all_images / 10) as tenth
    from ranking_stability
    semi join shown_readers using (protocol, reader, provenance)
    group by protocol, reader, prompt, provenance, domain, metric, all_images, n_models, n_trials
)

select
    l.*, r.spearman as spearman_tenth, r.spearman_low as spearman_tenth_low, r.spearman_high as spearman_tenth_high,
    r.kendall as kendall_tenth, r.kendall_low as kendall_tenth_low, r.kendall_high as kendall_tenth_high,
    100.0 * mean_images / l.all_images as mean_share,
    100.0 * trial_images / l.all_images as trial_share, 100.0 * kendall_images / l.all_images as kendall_share,
    'Ranked by ' || l.metric as section
from lasting as l
inner join ranking_stability as r
    on (r.protocol, r.reader, r.prompt, r.provenance, r.domain, r.metric, r.n_images)
        = (l.protocol, l.reader, l.prompt, l.provenance, l.domain, l.metric, l.tenth)
order by domain_order(l.domain), l.domain, l.metric
