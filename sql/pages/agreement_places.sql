-- shows: Places of the captioners that two benchmarks share
-- site: {page: agreement, nav: Agreement, title: "Do the benchmarks agree?", place: 1}
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: series_a_name, head: Benchmark, page: first}
--   - {name: series_b_name, head: Other, page: first}
--   - {name: place_a, head: Place, decimals: 0}
--   - {name: place_b, head: Place there, decimals: 0}
--   - {name: n_models, head: of, decimals: 0}

select *
from benchmark_places
order by n_models desc, series_a, series_b, place_a, captioner_name
