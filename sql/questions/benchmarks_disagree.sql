-- shows: About which captioners do benchmarks disagree?

select captioner_name, series_a_name, place_a, series_b_name, place_b, n_models, difference, provenance
from benchmark_places
where n_models >= 3 and abs(difference) >= 1
order by abs(difference) / n_models desc, captioner_name, series_a_name, series_b_name
limit 20;
