-- recipe: agreement
-- asks: Do the benchmarks agree about captioners?
-- tells: with fewer than eight captioners hardly anything can be said
-- first: 14

select series_a_name, series_b_name, n_models, spearman, spearman_low, spearman_high, spearman_p, most_apart, provenance
from benchmark_agreement
where kind = 'scores' and spearman is not null
order by provenance = 'simulated', n_models desc, series_a_name, series_b_name;
