-- shows: "Judges against people: the same outcome of single battles (%), and the same ranking of captioners"
-- about: "Overall and levels: a tie is a third outcome; level 1: unequal captioners, 4: close ones. Without ties: battles that neither side tied.
--    Metrics tie where their scores differ little, as often as people do. Correlations: of Elo ratings on the same battles, their intervals as if
--    captioners were drawn from many. Mean bias: mean absolute difference of win rates. Battles with a person's caption are left out."
-- paper: CapArena, Table 2
-- benchmark: caparena
-- reads: [arena_judges]
-- all: true
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

select
    *, 'all' as best_among,
    case judge_type when 'human' then 'People among themselves' when 'metric' then 'Metrics' when 'model' then 'Models' end as section
from arena_judges
order by list_position(['human', 'metric', 'model'], judge_type), agreement desc nulls last, benchmark, origin, judge, protocol
