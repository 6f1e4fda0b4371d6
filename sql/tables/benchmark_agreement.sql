-- shows: Whether benchmarks agree about captioners, and whether length alone would explain it
-- asks: Do the benchmarks agree about captioners?
-- about: "Of the captioners that both have scores of; with few of them a correlation tells little, whatever its size.
--     Intervals: as if captioners were
--    drawn from many. p: share of the orders of the captioners that agree or disagree as much. Least and greatest:
--     when any one captioner is left out.
--    Length fixed: partial correlation, the mean number of words held fixed."
-- paper: beyond the papers
-- benchmark: caparena
-- columns:
--   - {name: series_a_name, head: Benchmark}
--   - {name: series_b_name, head: Other}
--   - {name: n_models, head: Captioners, decimals: 0}
--   - {name: spearman, head: Spearman's ρ, decimals: 2}
--   - {name: spearman_p, head: p, decimals: 3}
--   - {name: kendall, head: Kendall's τ, decimals: 2}
--   - {name: spearman_least, head: "ρ, least", decimals: 2}
--   - {name: spearman_most, head: "ρ, greatest", decimals: 2}
--   - {name: spearman_partial, head: "ρ, length fixed", decimals: 2}

select
    *, case kind when 'scores' then 'Two benchmarks' when 'length'
        then 'A benchmark and the number of words of its captions' end as section
from benchmark_agreement
where spearman is not null
order by n_models desc nulls last, kind, series_a, series_b
