-- shows: How benchmarks rank captioners, against people's votes
-- about: "Intervals: as if captioners were drawn from many. Mean and the name of a metric: the mean of the metric over
--     a captioner's captions."
-- paper: CapArena, Table 3 and Figure 4
-- benchmark: caparena
-- columns:
--   - {name: name, head: Benchmark}
--   - {name: judge}
--   - {name: spearman, head: Spearman's ρ, decimals: 3, best: highest}
--   - {name: kendall, head: Kendall's τ, decimals: 3, best: highest}
--   - {name: n_captioners, head: Captioners, decimals: 0}

select
    *, case origin
        when 'published' then 'As printed' when 'tables' then 'Computed from printed scores and the printed ranking'
        when 'battles' then 'Computed from votes, ranking by ' || people_provenance || ' votes'
    end as section
from arena_correlations
where kind = 'benchmark'
order by spearman desc nulls last, origin, name, judge, people_provenance
