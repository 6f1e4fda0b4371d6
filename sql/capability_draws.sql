-- model: capability_draws
-- what: 1000 bootstrap draws of the verdict counts of every captioner and dimension, by which intervals and comparisons are made
-- grain: one row per benchmark, judge, captioner, repeat, provenance, dimension and draw
-- key: [benchmark, judge, captioner, repeat, provenance, dimension, draw]
-- inputs: [judgments, stale_judgments, annotations]
-- source: "none; Poisson bootstrap over media files: in a draw each file counts a Poisson number of times with mean 1, the same for all
--    captioners and dimensions that it serves"
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   judge: [varchar, model_id of the judge]
--   captioner: [varchar, model_id whose captions were judged]
--   repeat: [bigint, count, "number of the repetition, from 0"]
--   provenance: [varchar, [published, measured, simulated]]
--   dimension: [varchar, dimension]
--   draw: [bigint, count, 0..999, "number of the draw, from 0"]
--   n_all: [double, count, 0.., "elements judged, each as often as its media file is drawn"]
--   n_hit: [double, count, "elements that the caption mentions, counted alike"]
--   n_correct: [double, count, 0.., "elements that the caption states correctly, counted alike"]

with verdicts as (
    select benchmark, judge, captioner, repeat, provenance, dimension, sample_id, element, verdict
    from counted_judgments()
    where verdict in ('positive', 'negative', 'miss')
),

files as (
    select benchmark, dimension, sample_id, element, coalesce(nullif(media, ''), sample_id) as media
    from annotations
),

counted as (
    select
        v.benchmark, v.judge, v.captioner, v.repeat, v.provenance, v.dimension,
        coalesce(f.media, v.sample_id) as media,
        count(*) as n_all,
        sum(case when v.verdict <> 'miss' then 1 else 0 end) as n_hit,
        sum(case when v.verdict = 'positive' then 1 else 0 end) as n_correct
    from verdicts as v
    left join files as f
        on f.benchmark = v.benchmark and f.dimension = v.dimension and f.sample_id = v.sample_id and f.element = v.element
    group by v.benchmark, v.judge, v.captioner, v.repeat, v.provenance, v.dimension, coalesce(f.media, v.sample_id)
),

clusters as (
    select distinct benchmark, dimension, media
    from counted
),

captioners as (
    select distinct benchmark, judge, captioner, repeat, provenance, dimension
    from counted
),

-- Every captioner gets a number for every file, 0 where it was not judged, so that all vectors of a dimension line up.
lined_up as (
    select
        c.benchmark, c.judge, c.captioner, c.repeat, c.provenance, c.dimension, m.media,
        coalesce(n.n_all, 0) as n_all,
        coalesce(n.n_hit, 0) as n_hit,
        coalesce(n.n_correct, 0) as n_correct
    from captioners as c
    inner join clusters as m on m.benchmark = c.benchmark and m.dimension = c.dimension
    left join counted as n
        on n.benchmark = c.benchmark and n.judge = c.judge and n.captioner = c.captioner and n.repeat = c.repeat
        and n.provenance = c.provenance and n.dimension = c.dimension and n.media = m.media
),

vectors as (
    select
        benchmark, judge, captioner, repeat, provenance, dimension,
        vector_of(n_all, media) as all_vector,
        vector_of(n_hit, media) as hit_vector,
        vector_of(n_correct, media) as correct_vector
    from lined_up
    group by benchmark, judge, captioner, repeat, provenance, dimension
),

cluster_lists as (
    select benchmark, dimension, keys_of(media) as media_list
    from clusters
    group by benchmark, dimension
),

weights as (
    select l.benchmark, l.dimension, d.draw, poisson_weights(l.media_list, bootstrap_seed(), d.draw) as weight_vector
    from cluster_lists as l
    cross join bootstrap_draws() as d
)

select
    v.benchmark, v.judge, v.captioner, v.repeat, v.provenance, v.dimension, w.draw,
    weighted_sum(w.weight_vector, v.all_vector) as n_all,
    weighted_sum(w.weight_vector, v.hit_vector) as n_hit,
    weighted_sum(w.weight_vector, v.correct_vector) as n_correct
from vectors as v
inner join weights as w on w.benchmark = v.benchmark and w.dimension = v.dimension;

-- audit: draws_nest: what is correct was mentioned, and what was mentioned was judged
select benchmark, judge, captioner, dimension, draw, n_all, n_hit, n_correct
from capability_draws
where n_correct > n_hit or n_hit > n_all;
