-- shows: Leaderboard of CapArena
-- about: Published rows have the order alone, because the paper prints no ratings.
-- paper: CapArena, Figure 1; CapArena-Auto, Table 8
-- benchmark: caparena
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: benchmark, page: first}
--   - {name: judged_by, head: Judge, page: first}
--   - {name: place, decimals: 0}
--   - {name: elo, decimals: 0, page: main}
--   - {name: bradley_terry, head: Bradley-Terry, decimals: 0}
--   - {name: win_rate, decimals: 1}
--   - {name: n_battles, head: Battles, decimals: 0, page: extra}
--   - {name: model_type, head: Type, page: extra}
--   - {name: remark, head: Note, page: extra}

select
    * exclude (note), note as remark,
    if(judge = 'people', 'People', judge_name) || case protocol when 'caparena/battle-reference' then ' (with ref)'
        else '' end as judged_by
from arena_ranking
order by benchmark, judge <> 'people', judge_name, origin, place nulls last, captioner_name, captioner
