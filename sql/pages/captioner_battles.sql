-- shows: Battles against each captioner
-- about: Below 50% it loses more battles than it wins. A tie is half a win. The row "all others" has all battles
--     together.
-- each: captioner
-- columns:
--   - {name: against, head: Against}
--   - {name: win_rate, decimals: 1, ends: true, page: main}
--   - {name: n_battles, head: Battles, decimals: 0}

select
    p.*, coalesce(nullif(other_name, ''), 'all others') as against,
    case p.benchmark when 'caparena' then 'CapArena' else 'CapArena-Auto' end || ': votes of '
        || if(p.judge = 'people', 'people', judge_name) as section
from arena_pairs as p
semi join shown_boards using (benchmark, provenance, judge, protocol)
order by captioner, p.benchmark, other = '', win_rate, other_name
