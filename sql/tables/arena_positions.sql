-- shows: Whether judges prefer the caption that they are shown first
-- asks: Does a judge prefer the caption that comes first?
-- about: "A tie is half a vote for the first; 50% without a position bias where orders are drawn. In both orders:
--     battles that can be read in both."
-- paper: beyond the paper
-- benchmark: caparena
-- columns:
--   - {name: judge_name, head: Judge}
--   - {name: first_rate, head: Prefers the first (%), decimals: 1}
--   - {name: n_votes, head: Votes, decimals: 0}
--   - {name: n_ties, head: Ties, decimals: 0}
--   - {name: same_rate, head: Same in both orders (%), decimals: 1, best: highest}
--   - {name: n_both, head: In both orders, decimals: 0}
--   - {name: n_both_first, head: First twice, decimals: 0}
--   - {name: n_both_second, head: Second twice, decimals: 0}

select *, arena_heading(benchmark, provenance) as section, benchmark as best_among
from arena_positions
order by first_rate desc nulls last, benchmark, judge
