-- shows: Images that keep the ranking of captioners
-- about: k is the smallest number of random images from which on the agreement with the ranking over all images stays above the bound.
-- paper: CaptionQA, Figures 15 and 16
-- benchmark: captionqa
-- reads: [ranking_stability_summary]
-- columns:
--   - {name: domain}
--   - {name: all_images, head: Images, decimals: 0}
--   - {name: n_models, head: Captioners, decimals: 0}
--   - {name: n_trials, head: Trials, decimals: 0}
--   - {name: mean_images, head: "k: mean ρ > 0.95", decimals: 0}
--   - {name: mean_share, head: "% of images", decimals: 1}
--   - {name: trial_images, head: "k: 95 % of trials", decimals: 0}
--   - {name: trial_share, head: "% of images", decimals: 1}
--   - {name: kendall_images, head: "k: mean τ > 0.95", decimals: 0}
--   - {name: kendall_share, head: "% of images", decimals: 1}
--   - {name: spearman_tenth, head: "ρ at 10 %", decimals: 3}
--   - {name: kendall_tenth, head: "τ at 10 %", decimals: 3}

select *, 'Ranked by ' || metric as section
from ranking_stability_summary
order by
    coalesce(list_position(['Natural', 'Document', 'E-commerce', 'Embodied AI', 'Overall', 'Total', 'All', ''], domain), 4.5), domain,
    metric
