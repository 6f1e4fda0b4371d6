-- shows: The blind test beside random guessing
-- no_demo: "it has no questions under construction"
-- paper: CaptionQA, Section 4.3.2
-- benchmark: captionqa
-- columns:
--   - {name: options}
--   - {name: n_candidates, head: Questions, decimals: 0}
--   - {name: drop_at, head: Dropped at, decimals: 0}
--   - {name: hit_rate, head: Hits (%), decimals: 1}
--   - {name: random_hit_rate, head: at random (%), decimals: 1}
--   - {name: dropped, head: Dropped (%), decimals: 1}
--   - {name: random_dropped, head: at random (%), decimals: 2}

select *, case n_options when 0 then 'All' else cast(n_options as varchar) end as options,
    domain || ', reader ' || reader_name as section
from construct_blind
order by domain_order(domain), domain, reader_name, options
