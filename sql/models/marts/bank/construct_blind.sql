-- what: how often a reader guesses the key without the picture, and how many candidates the blind test drops, beside
--     random guessing
-- key: [domain, provenance, reader, n_options]
-- source: "CaptionQA section 4.3.2: a question is dropped when the accuracy over ten trials exceeds a threshold
--     slightly above random chance"
-- columns:
--   domain:
--   provenance: [varchar, "measured or simulated, of the trials"]
--   reader:
--   n_options: [integer, 0.., options of the candidates; 0 for all numbers]
--   reader_name:
--   drop_at: [integer, "hits at which a candidate is dropped, after as many trials as the most tried candidate had;
--       null for all numbers"]
--   n_candidates: [bigint, count, 1.., candidates that were tried]
--   n_images: [bigint, count, 1.., items of them]
--   n_trials: [bigint, count, 1.., trials]
--   n_hits: [bigint, count, 0.., trials that chose the key]
--   n_unparsed: [bigint, count, 0.., trials whose reply names no option; they are no hits]
--   n_dropped: [bigint, count, 0.., candidates that the test drops]
--   hit_rate: [double, percent, 0..100, share of the trials that chose the key]
--   random_hit_rate: [double, percent, 0..100, the same for a reader that guesses at random]
--   dropped: [double, percent, 0..100, share of the candidates that the test drops]
--   random_dropped: [double, percent, 0..100, "share that the test would drop if the reader guessed at random: its
--       false positives"]
-- intervals:
--   dropped: share(n_candidates, clusters)

with tried as (
    select
        candidate_id, reader, provenance, count(*) as trials, count(*) filter (where hit) as hits,
        count(*) filter (where choice_index is null) as unparsed
    from blind_trials
    group by candidate_id, reader, provenance
),

results as (
    select
        c.domain, t.provenance, t.reader, series.n_options, c.image_id, cast(len(c.options) as integer) as options,
        t.trials, t.hits, t.unparsed, t.hits >= blind_drop_at(len(c.options), t.trials) as is_dropped,
        random_drop_share(len(c.options), t.trials) as random_share
    from tried as t
    inner join candidates as c using (candidate_id)
    cross join lateral (values (0), (cast(len(c.options) as integer))) as series (n_options)
),

images as (
    select
        domain, provenance, reader, n_options, image_id, count(*) as n, sum(trials) as trials,
        max(trials) as most_trials,
        sum(hits) as hits, sum(unparsed) as unparsed, count(*) filter (where is_dropped) as n_dropped,
        sum(exact_long(random_share)) as random_share,
        sum(exact_long(trials * 100.0 / options)) as random_hits
    from results
    group by domain, provenance, reader, n_options, image_id
)

select
    domain, provenance, reader, n_options, model_name(reader) as reader_name,
    case when n_options > 0 then cast(blind_drop_at(n_options, max(most_trials)) as integer) end as drop_at,
    sum(n) as n_candidates, count(*) as n_images, sum(trials) as n_trials, sum(hits) as n_hits,
    sum(unparsed) as n_unparsed, sum(n_dropped) as n_dropped, percent_of(sum(hits), sum(trials)) as hit_rate,
    cast(sum(random_hits) as double) / sum(trials) as random_hit_rate, percent_of(sum(n_dropped), sum(n)) as dropped,
    cast(sum(random_share) as double) / sum(n) as random_dropped, ratio_error(n_dropped, n) as dropped_se,
    effective_clusters(n) as clusters
from images
group by domain, provenance, reader, n_options;

-- audit: options_add_up: every tried candidate has a number of options
select a.domain, a.provenance, a.reader, a.n_candidates, s.n_candidates as n_of_options
from construct_blind as a
inner join (
    select domain, provenance, reader, sum(n_candidates) as n_candidates
    from construct_blind
    where n_options > 0
    group by domain, provenance, reader
) as s using (domain, provenance, reader)
where a.n_options = 0 and a.n_candidates <> s.n_candidates;
