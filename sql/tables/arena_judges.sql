-- shows: "Judges against people: the same outcome of single battles (%), and the same ranking of captioners"
-- asks: Which judge votes as people do?
-- about: "Overall and levels: a tie is a third outcome; level 1: unequal captioners, 4: close ones. Without ties: battles that neither side tied.
--    Metrics tie where their scores differ little, as often as people do. Correlations: of Elo ratings on the same battles, their intervals as if
--    captioners were drawn from many. Mean bias: mean absolute difference of win rates. Battles with a person's caption are left out."
-- paper: CapArena, Table 2
-- benchmark: caparena
-- columns:
--   - {name: judge_name, head: Judge}
--   - {name: agreement, head: Overall, decimals: 1, best: highest}
--   - {name: agreement_1, head: Level 1, decimals: 1, best: highest}
--   - {name: agreement_2, head: Level 2, decimals: 1, best: highest}
--   - {name: agreement_3, head: Level 3, decimals: 1, best: highest}
--   - {name: agreement_4, head: Level 4, decimals: 1, best: highest}
--   - {name: without_ties, decimals: 1, best: highest}
--   - {name: spearman, head: Spearman's ρ, decimals: 3, best: highest}
--   - {name: kendall, head: Kendall's τ, decimals: 3, best: highest}
--   - {name: mean_bias, decimals: 1, best: lowest}
--   - {name: tie_rate, head: Ties, decimals: 1}
--   - {name: n_battles, head: Battles, decimals: 0}

with parts as (
    select *, case when ties = 'excluded' then 'without ties' else level end as part
    from arena_agreement
    where ties = 'included' or level = 'all'
),

shares as (
    select
        series_id, benchmark, origin, judge, protocol, provenance, judge_type, judge_name,
        bool_and(is_whole) filter (where part = 'all') as is_whole,
        max(n_battles) filter (where part = 'all') as n_battles,
        max(100 * n_judge_ties / n_battles) filter (where part = 'all') as tie_rate,
        max(agreement) filter (where part = 'all') as agreement,
        max(agreement_low) filter (where part = 'all') as agreement_low, max(agreement_high) filter (where part = 'all') as agreement_high,
        max(agreement) filter (where part = '1') as agreement_1,
        max(agreement_low) filter (where part = '1') as agreement_1_low, max(agreement_high) filter (where part = '1') as agreement_1_high,
        max(agreement) filter (where part = '2') as agreement_2,
        max(agreement_low) filter (where part = '2') as agreement_2_low, max(agreement_high) filter (where part = '2') as agreement_2_high,
        max(agreement) filter (where part = '3') as agreement_3,
        max(agreement_low) filter (where part = '3') as agreement_3_low, max(agreement_high) filter (where part = '3') as agreement_3_high,
        max(agreement) filter (where part = '4') as agreement_4,
        max(agreement_low) filter (where part = '4') as agreement_4_low, max(agreement_high) filter (where part = '4') as agreement_4_high,
        max(agreement) filter (where part = 'without ties') as without_ties,
        max(agreement_low) filter (where part = 'without ties') as without_ties_low, max(agreement_high) filter (where part = 'without ties') as without_ties_high
    from parts
    group by all
)

select
    shares.*, spearman, spearman_low, spearman_high, kendall, kendall_low, kendall_high, mean_bias, if(is_whole, 'all', series_id) as best_among,
    if(is_whole, null, judge_name || ': decided a part of the battles; no other judge is compared with it') as note,
    case judge_type when 'human' then 'People among themselves' when 'metric' then 'Metrics' when 'model' then 'Models' end
    || if(is_whole, '', format(': {}, a part of the battles', judge_name)) as section
from shares
left join (select * from arena_correlations where kind = 'judge' and method = 'elo') as c using (series_id)
order by
    list_position(['human', 'metric', 'model'], judge_type), is_whole desc, agreement desc nulls last, shares.benchmark, shares.origin, shares.judge,
    shares.protocol
