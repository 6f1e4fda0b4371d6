-- shows: How many pictures does a stable ranking need?
-- about: "Pictures from which on the mean correlation with the full ranking stays above 0.95: Spearman's, which a few neighbours in
--   the wrong order hardly lower, and Kendall's, which they do; and Spearman's in nearly all trials. No number settles the order
--   of captioners that differ by less than their intervals."

select domain, metric, all_images, n_models, mean_images as spearman_images, kendall_images, trial_images, provenance, protocol, reader
from ranking_stability_summary
order by provenance, protocol, reader, domain, metric;
