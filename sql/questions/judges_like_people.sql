-- shows: Which judge votes as people do?

select judge_name, protocol, n_battles, agreement, agreement_low, agreement_high, spearman, mean_bias, origin, provenance
from arena_judges
order by provenance = 'simulated', agreement desc nulls last, judge_name, origin;
