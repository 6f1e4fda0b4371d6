-- shows: Leaderboard of CAPability
-- about: F1 is the mean over the dimensions of the F1 of each, and so are the other columns.
-- paper: CAPability, averages of the tables of dimensions
-- benchmark: capability
-- reads: [capability_averages]
-- all: true
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: judge, page: first}
--   - {name: dimensions, page: first}
--   - {name: rank, decimals: 0}
--   - {name: f1, head: F1, decimals: 1, page: main}
--   - {name: precision, decimals: 1}
--   - {name: recall, decimals: 1}
--   - {name: hit_rate, decimals: 1}
--   - {name: repeat, decimals: 0, page: extra}
--   - {name: n_dimensions, head: Dimensions covered, decimals: 0, page: extra}

select * exclude (section), section || ' dimensions' as dimensions, rank() over (partition by provenance, judge, repeat, section order by f1 desc nulls last) as rank
from capability_averages
where benchmark = 'capability' and n_dimensions = n_expected
order by judge, repeat, list_position(['all', 'static', 'dynamic'], section), f1 desc nulls last, hit_rate desc, captioner_name
