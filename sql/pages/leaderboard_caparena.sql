-- shows: Leaderboard of CapArena
-- about: Published rows have the order alone, because the paper prints no ratings.
-- paper: CapArena, Figure 1; CapArena-Auto, Table 8
-- benchmark: caparena
-- reads: [arena_ranking]
-- all: true
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: benchmark, page: first}
--   - {name: judge_name, head: Judge, page: first}
--   - {name: place, decimals: 0}
--   - {name: elo, decimals: 0, page: main}
--   - {name: bradley_terry, head: Bradley-Terry, decimals: 0}
--   - {name: win_rate, decimals: 1}
--   - {name: n_battles, head: Battles, decimals: 0, page: extra}
--   - {name: model_type, head: Type, page: extra}
--   - {name: remark, head: Note, page: extra}

select * exclude (note), note as remark
from arena_ranking
order by benchmark, judge <> 'human', judge_name, place, captioner_name
