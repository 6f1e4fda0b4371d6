-- shows: Do the benchmarks agree about captioners?
-- about: With fewer than eight captioners hardly anything can be said.

select series_a_name, series_b_name, n_models, spearman, spearman_low, spearman_high, spearman_p, most_apart, provenance
from benchmark_agreement
where kind = 'scores' and spearman is not null
order by provenance = 'simulated', n_models desc, series_a_name, series_b_name;
