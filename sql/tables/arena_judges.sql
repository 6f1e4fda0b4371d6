-- shows: "Judges against people: the same outcome of single battles (%), and the same ranking of captioners"
-- asks: Which judge votes as people do?
-- about: "Overall and levels: a tie is a third outcome; level 1: unequal captioners, 4: close ones. Without ties:
--     battles that neither side tied.
--    Metrics tie where their scores differ little, as often as people do. Correlations: of Elo ratings on the same
--     battles, their intervals as if
--    captioners were drawn from many. Mean bias: mean absolute difference of win rates. Battles with a person's
--     caption are left out."
-- paper: CapArena, Table 2
-- benchmark: caparena
-- columns:
--   - {name: judge_name, head: Judge}
--   - {name: all_agreement, head: Overall, decimals: 1, best: highest}
--   - {name: level_1_agreement, head: Level 1, decimals: 1, best: highest}
--   - {name: level_2_agreement, head: Level 2, decimals: 1, best: highest}
--   - {name: level_3_agreement, head: Level 3, decimals: 1, best: highest}
--   - {name: level_4_agreement, head: Level 4, decimals: 1, best: highest}
--   - {name: without_ties_agreement, head: Without ties, decimals: 1, best: highest}
--   - {name: spearman, head: Spearman's ρ, decimals: 3, best: highest}
--   - {name: kendall, head: Kendall's τ, decimals: 3, best: highest}
--   - {name: mean_bias, decimals: 1, best: lowest}
--   - {name: all_tie_rate, head: Ties, decimals: 1}
--   - {name: all_n_battles, head: Battles, decimals: 0}

with parts as (
    select *, case when ties = 'excluded' then 'without_ties' when level = 'all' then 'all' else 'level_'
        || level end as part
    from arena_agreement
    where ties = 'included' or level = 'all'
),

shares as (
    pivot parts
    on part in ('all', 'level_1', 'level_2', 'level_3', 'level_4', 'without_ties')
    using
        max(agreement) as agreement, max(agreement_low) as agreement_low, max(agreement_high) as agreement_high,
        max(n_battles) as n_battles, max(100 * n_judge_ties / n_battles) as tie_rate, bool_and(is_whole) as is_whole
    group by series_id, benchmark, origin, judge, protocol, provenance, judge_type, judge_name
)

select
    shares.*, spearman, spearman_low, spearman_high, kendall, kendall_low, kendall_high, mean_bias,
    if(all_is_whole, 'all', series_id) as best_among,
    if(all_is_whole, null, judge_name || ': decided a part of the battles; no other judge is compared with it') as note,
    case judge_type when 'human' then 'People among themselves' when 'metric' then 'Metrics' when 'model'
        then 'Models' end
    || if(all_is_whole, '', format(': {}, a part of the battles', judge_name)) as section
from shares
left join (select * from arena_correlations where kind = 'judge' and method = 'elo') as c using (series_id)
order by
    list_position(['human', 'metric', 'model'], judge_type), all_is_whole desc, all_agreement desc nulls last,
    shares.benchmark, shares.origin, shares.judge,
    shares.protocol
