-- shows: Leaderboard of CV-CapBench
-- about: F1 is the mean over the dimensions of the F1 of each, and so are the other columns.
-- paper: CV-CapBench, averages of the tables of dimensions
-- benchmark: cv-capbench
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: board, page: first}
--   - {name: rank, decimals: 0}
--   - {name: f1, head: F1, decimals: 2, page: main}
--   - {name: precision, decimals: 2}
--   - {name: recall, decimals: 2}
--   - {name: hit_rate, decimals: 2}
--   - {name: repeat, decimals: 0, page: extra}
--   - {name: n_dimensions, head: Dimensions covered, decimals: 0, page: extra}

select * exclude (board_place)
from rubric_leaderboard('cv-capbench', 2)
order by judge, repeat, board_place, rank nulls last, hit_rate desc, captioner_name, captioner
