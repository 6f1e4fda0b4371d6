-- shows: What it costs to have battles judged
-- about: "Cost: by the prices that the configuration had when the calls were made, in its currency; unknown without a
--     price, or where a server counted
--    no tokens. The paper names 4 US dollars for a test."
-- paper: CapArena, Section 5
-- benchmark: caparena
-- columns:
--   - {name: tested, head: Captioner tested}
--   - {name: n_battles, head: Battles, decimals: 0}
--   - {name: n_calls, head: Calls, decimals: 0}
--   - {name: prompt_tokens, decimals: 0}
--   - {name: cached_tokens, head: from cache, decimals: 0}
--   - {name: completion_tokens, head: Reply tokens, decimals: 0}
--   - {name: cost, decimals: 2, empty: unknown}

select
    *, coalesce(nullif(captioner_name, ''), 'All battles') as tested,
    case benchmark when 'caparena' then 'CapArena' else 'CapArena-Auto' end || ', judge ' || judge_name as section
from arena_costs
order by benchmark, judge_name, captioner_name nulls first
