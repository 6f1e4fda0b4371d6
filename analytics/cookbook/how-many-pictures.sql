-- recipe: how-many-pictures
-- asks: How many pictures does a stable ranking need?
-- tells: "pictures from which on Spearman's correlation with the full ranking stays above 0.95, on average and in nearly all trials"

select domain, metric, all_images, n_models, round(mean_images, 1) as mean_images, trial_images, provenance, protocol, reader
from ranking_stability_summary
order by provenance, protocol, reader, domain, metric;
