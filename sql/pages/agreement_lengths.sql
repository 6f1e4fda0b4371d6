-- shows: Would length alone explain it?
-- asks: Which benchmarks reward long captions?
-- about: The rank correlation of each benchmark's scores with the mean length of the captions that it scored, positive
--     where longer captions score better.
-- columns:
--   - {name: series_a_name, head: Benchmark}
--   - {name: spearman, head: Spearman's ρ, decimals: 2, page: main}
--   - {name: n_models, head: Captioners, decimals: 0}

select *
from benchmark_agreement
where kind = 'length' and spearman is not null
order by spearman desc, series_a
