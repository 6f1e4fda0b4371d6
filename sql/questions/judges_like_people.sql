-- shows: Which judge votes as people do?

select
    judge_name, protocol, n_battles, agreement, agreement_low, agreement_high, c.spearman, c.mean_bias, origin, provenance
from arena_agreement
left join (select series_id, spearman, mean_bias from arena_correlations where kind = 'judge' and method = 'elo') as c using (series_id)
where level = 'all' and ties = 'included'
order by provenance = 'simulated', agreement desc nulls last, judge_name, origin;
