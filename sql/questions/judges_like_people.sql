-- shows: Which judge votes as people do?
-- about: Judges that decided all battles that people decided come first; a part of them may be an easy one.

select
    judge_name, protocol, n_battles, n_decided, agreement, agreement_low, agreement_high, c.spearman, c.mean_bias, origin, provenance
from arena_agreement
left join (select series_id, spearman, mean_bias from arena_correlations where kind = 'judge' and method = 'elo') as c using (series_id)
where level = 'all' and ties = 'included'
order by provenance = 'simulated', is_whole desc, agreement desc nulls last, judge_name, origin;
