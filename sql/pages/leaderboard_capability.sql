-- shows: Leaderboard of CAPability
-- about: F1 is the mean over the dimensions of the F1 of each, and so are the other columns.
-- paper: CAPability, averages of the tables of dimensions
-- benchmark: capability
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: board, page: first}
--   - {name: rank, decimals: 0}
--   - {name: f1, head: F1, decimals: 1, page: main}
--   - {name: precision, decimals: 1}
--   - {name: recall, decimals: 1}
--   - {name: hit_rate, decimals: 1}
--   - {name: repeat, decimals: 0, page: extra}
--   - {name: n_dimensions, head: Dimensions covered, decimals: 0, page: extra}

select * exclude (board_place)
from rubric_leaderboard('capability', 1)
order by judge, repeat, board_place, rank nulls last, hit_rate desc, captioner_name, captioner
