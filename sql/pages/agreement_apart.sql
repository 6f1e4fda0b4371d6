-- shows: Where benchmarks disagree most
-- asks: About which captioners do benchmarks disagree?
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: series_a_name, head: By the one}
--   - {name: place_a, head: Place, decimals: 0}
--   - {name: series_b_name, head: By the other}
--   - {name: place_b, head: Place there, decimals: 0}
--   - {name: n_models, head: of, decimals: 0}

select *
from benchmark_places
where n_models >= 5 and difference <> 0
qualify row_number() over (partition by provenance order by abs(difference) / n_models desc, captioner, series_a,
    series_b) <= 8
order by abs(difference) / n_models desc, captioner, series_a, series_b
