-- shows: Which benchmarks reward long captions?
-- about: Rank correlation of the scores with the mean number of words of the captions.

select series_a_name, n_models, spearman, spearman_low, spearman_high, spearman_p, provenance
from benchmark_agreement
where kind = 'length' and spearman is not null
order by provenance = 'simulated', n_models desc, series_a_name;
