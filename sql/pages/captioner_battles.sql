-- shows: Battles against each captioner
-- about: Below 50% it loses more battles than it wins. A tie is half a win.
-- reads: [arena_pairs]
-- each: captioner
-- columns:
--   - {name: other_name, head: Against}
--   - {name: win_rate, decimals: 1, ends: true, page: main}
--   - {name: n_battles, head: Battles, decimals: 0}

select *, 'CapArena: votes of ' || judge_name as section
from arena_pairs
qualify dense_rank() over (partition by benchmark, provenance order by judge <> 'human', judge) = 1
order by captioner, benchmark, win_rate, other_name
