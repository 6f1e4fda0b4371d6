-- shows: "Annotators: votes, times, and agreement with each other"
-- about: "Agreement: pairs of votes of two annotators on one battle that say the same, a tie being a third answer; the
--     paper has 78.2% on 400 battles
--    in its text, and 68.3% over four levels of 100 in Table 2. Faster, slower: votes at which at least 18 of the last
--     20 took less, or more, than
--    the median of all."
-- paper: CapArena, Section 3.2, Table 2 and appendix E
-- benchmark: caparena
-- columns:
--   - {name: shown, head: Annotator}
--   - {name: agreement, head: Agreement (%), decimals: 1}
--   - {name: n_shared, head: Shared, decimals: 0}
--   - {name: n_counted, head: Votes, decimals: 0}
--   - {name: n_ties, head: Ties, decimals: 0}
--   - {name: n_fast, head: Under 5 s, decimals: 0}
--   - {name: n_skipped, head: Skipped, decimals: 0}
--   - {name: median_seconds, head: Median (s), decimals: 0}
--   - {name: mean_seconds, head: Mean (s), decimals: 0}
--   - {name: n_speed_ups, head: Faster, decimals: 0}
--   - {name: n_slow_downs, head: Slower, decimals: 0}

select
    *, case coalesce(annotator, '') when '' then 'All together' when 'people' then 'Not named (released votes)'
        else annotator end as shown,
    coalesce(arena_heading(benchmark, provenance) || ': ', '')
    || case level when 'all' then 'All levels' when 'none' then 'Battles without a level' else 'Level '
        || level end as section
from arena_annotators
order by level <> 'all', level, coalesce(annotator, '') <> '', annotator, benchmark
