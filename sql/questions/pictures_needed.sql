-- shows: How many pictures does a stable ranking need?
-- about: "Pictures from which on the mean correlation with the full ranking stays above 0.95: Spearman's, which a few neighbours in
--   the wrong order hardly lower, and Kendall's, which they do; and Spearman's in nearly all trials. No number settles the order
--   of captioners that differ by less than their intervals."

-- The ranking is kept from the size after the last that fails.
select
    domain, metric, all_images, n_models,
    nullif(coalesce(max(n_images) filter (where coalesce(spearman, 0) <= 0.95), 0) + 1, all_images + 1) as spearman_images,
    nullif(coalesce(max(n_images) filter (where coalesce(kendall, 0) <= 0.95), 0) + 1, all_images + 1) as kendall_images,
    nullif(coalesce(max(n_images) filter (where share_above < 0.95), 0) + 1, all_images + 1) as trial_images,
    provenance, protocol, reader
from ranking_stability
group by provenance, protocol, reader, domain, metric, all_images, n_models
order by provenance, protocol, reader, domain, metric;
