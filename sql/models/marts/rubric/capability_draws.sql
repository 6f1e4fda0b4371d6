-- what: the verdict counts of every captioner and dimension in 1000 bootstrap samples of media files, from which intervals are computed
-- key: [benchmark, judge, captioner, repeat, provenance, dimension, draw]
-- source: "none; Poisson bootstrap over media files: in a draw each file counts a Poisson number of times with mean 1, the same for all
--    captioners and dimensions that it serves"
-- compute: poisson_bootstrap
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   judge:
--   captioner: [varchar, model_id whose captions were judged]
--   repeat, provenance, dimension:
--   draw: [bigint, count, 0..999, "number of the draw, from 0"]
--   n_all: [double, count, 0.., "elements judged, each as often as its media file is drawn"]
--   n_hit: [double, count, "elements that the caption mentions, counted alike"]
--   n_correct: [double, count, 0.., "elements that the caption states correctly, counted alike"]

select
    benchmark, dimension, media, judge, captioner, repeat, provenance, bootstrap_seed() as seed,
    cast(sum(n_positive + n_negative + n_miss) as bigint) as n_all, cast(sum(n_positive + n_negative) as bigint) as n_hit,
    cast(sum(n_positive) as bigint) as n_correct
from capability_verdicts
where n_positive + n_negative + n_miss > 0
group by benchmark, dimension, media, judge, captioner, repeat, provenance
order by benchmark, dimension, media, judge, captioner, repeat, provenance;

-- audit: draws_nest: what is correct was mentioned, and what was mentioned was judged
select benchmark, judge, captioner, dimension, draw, n_all, n_hit, n_correct
from capability_draws
where n_correct > n_hit or n_hit > n_all;
