-- for:
--   leaderboard_capability: {benchmark: capability, title: CAPability, decimals: 1}
--   leaderboard_cv_capbench: {benchmark: cv-capbench, title: CV-CapBench, decimals: 2}
-- shows: Leaderboard of $title
-- about: F1 is the mean over the dimensions of the F1 of each, and so are the other columns.
-- paper: $title, averages of the tables of dimensions
-- benchmark: $benchmark
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: board, page: first}
--   - {name: rank, decimals: 0}
--   - {name: f1, head: F1, decimals: $decimals, page: main}
--   - {name: precision, decimals: $decimals}
--   - {name: recall, decimals: $decimals}
--   - {name: hit_rate, decimals: $decimals}
--   - {name: repeat, decimals: 0, page: extra}
--   - {name: n_dimensions, head: Dimensions covered, decimals: 0, page: extra}

select * exclude (board_place)
from rubric_leaderboard('$benchmark', $decimals)
order by judge, repeat, board_place, rank nulls last, hit_rate desc, captioner_name, captioner
