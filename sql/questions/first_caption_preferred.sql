-- shows: Does a judge prefer the caption that comes first?

select judge_name, protocol, n_votes, first_rate, first_rate_low, first_rate_high, same_rate, provenance
from arena_positions
order by abs(first_rate - 50) desc nulls last, judge_name;
