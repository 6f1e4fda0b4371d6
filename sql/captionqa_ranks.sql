-- model: captionqa_ranks
-- what: places of the captioners by score and accuracy, overall and per domain, with intervals by image bootstrap
-- grain: one row per protocol, reader, prompt, provenance, origin, domain, metric and captioner; QA-on-caption only
-- key: [protocol, reader, prompt, provenance, origin, domain, metric, model_id]
-- inputs: [captionqa_results, captionqa_image_sums, models]
-- source: "CaptionQA Tables 3 and 11 to 26: their order; the intervals are beyond the paper"
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the model that answered]
--   prompt: [varchar, caption prompt]
--   provenance: [varchar, "published, measured or simulated"]
--   origin: [varchar, [answers, published], "base table that the figures come from: answers or published"]
--   domain: [varchar, "domain, or Overall: the mean of the four domains"]
--   metric: [varchar, [score, accuracy]]
--   model_id: [varchar, captioner]
--   model: [varchar, name of the model to show to people]
--   value: [double, percent, not null, 0..105, what is ranked]
--   value_se: [double, percent, "standard error of value, clustered by image: the domains share no images; null for printed rows and for a
--       single image"]
--   rank: [bigint, rank, 1.., "place, 1 the best; equal values share the better place"]
--   rank_low: [bigint, rank, 1.., 2.5 % quantile of the places in bootstrap samples of images; null for printed rows and for a single
--       image]
--   rank_high: [bigint, rank, 97.5 % quantile of those places]
--   share_first: [double, share, 0..1, share of the bootstrap samples in which the captioner is first]
--   n_models: [bigint, count, captioners ranked]
--   n_images: [bigint, count, images drawn from; null for printed rows]
--   n_samples: [bigint, count, bootstrap samples; images are drawn with replacement within each domain]
-- intervals:
--   value: share(n_questions, clusters); effective images - 1 degrees of freedom, overall effective images - 4

with results as (
    select protocol, reader, prompt, provenance, origin, domain, model_id, n_questions, effective_images,
        exact(score) as score, exact(accuracy) as accuracy, score_se, accuracy_se
    from captionqa_results
    where evidence = 'caption'
),

sums as (
    select protocol, reader, prompt, provenance, domain, model_id, image_id, n_answers, n_correct, score_parts
    from captionqa_image_sums
    where evidence = 'caption'
),

registry as (
    select model_id, name
    from models
),

with_overall as (
    select
        protocol, reader, prompt, provenance, origin, domain, model_id, score, accuracy, score_se, accuracy_se,
        n_questions, effective_images as clusters -- one more than the degrees of freedom
    from results
    union all
    select
        protocol, reader, prompt, provenance, origin, 'Overall' as domain, model_id,
        case when count(score) = 4 then sum(score) / 4 end as score,
        case when count(accuracy) = 4 then sum(accuracy) / 4 end as accuracy,
        case when count(score_se) = 4 then sqrt(cast(sum(exact_square(score_se)) as double)) / 4 end as score_se,
        case when count(accuracy_se) = 4 then sqrt(cast(sum(exact_square(accuracy_se)) as double)) / 4 end as accuracy_se,
        sum(n_questions) as n_questions, cast(sum(exact_mean(effective_images - 1)) as double) + 1 as clusters
    from results
    where domain in ('Natural', 'Document', 'E-commerce', 'Embodied AI')
    group by protocol, reader, prompt, provenance, origin, model_id
),

measured as (
    select
        protocol, reader, prompt, provenance, origin, domain, 'score' as metric, model_id, cast(score as double) as value,
        score_se as value_se, n_questions, clusters
    from with_overall
    where score is not null
    union all
    select
        protocol, reader, prompt, provenance, origin, domain, 'accuracy' as metric, model_id, cast(accuracy as double) as value,
        accuracy_se as value_se, n_questions, clusters
    from with_overall
    where accuracy is not null
),

ranked as (
    select
        protocol, reader, prompt, provenance, origin, domain, metric, model_id, value, value_se, n_questions, clusters,
        rank() over (partition by protocol, reader, prompt, provenance, origin, domain, metric order by value desc) as place,
        count(*) over (partition by protocol, reader, prompt, provenance, origin, domain, metric) as n_models
    from measured
),

-- Numbers in place of names: what follows is a join of millions of rows.
units as (
    select
        protocol, reader, prompt, provenance, model_id,
        cast(dense_rank() over (order by protocol, reader, prompt, provenance) as integer) as ranking,
        cast(row_number() over (order by protocol, reader, prompt, provenance, model_id) as integer) as unit
    from (select distinct protocol, reader, prompt, provenance, model_id from sums) as u
),

images as (
    select
        ranking, domain, image_id,
        row_number() over (partition by ranking, domain order by image_id) as place,
        count(*) over (partition by ranking, domain) as n_images
    from (
        select distinct u.ranking, s.domain, s.image_id
        from sums as s
        inner join units as u
            on u.protocol = s.protocol and u.reader = s.reader and u.prompt = s.prompt and u.provenance = s.provenance
            and u.model_id = s.model_id
    ) as i
),

domain_sizes as (
    select ranking, domain, n_images, cast(row_number() over (order by ranking, domain) as integer) as stratum
    from (select distinct ranking, domain, n_images from images) as d
    where n_images >= 2
),

-- The draws hang on domain and number of images alone: rankings of the same images are resampled alike.
draws as (
    select
        d.ranking, d.domain, d.stratum, t.i as sample,
        1 + cast(floor(random_of(sampling_seed(), 'bootstrap ' || d.domain, t.i, n.i) * d.n_images) as bigint) as place
    from domain_sizes as d
    cross join numbers_to(bootstrap_samples()) as t
    inner join numbers_to((select coalesce(max(n_images), 0) from domain_sizes)) as n on n.i <= d.n_images
),

weights as (
    select d.stratum, i.image_id, cast(d.sample as integer) as sample, cast(count(*) as double) as weight
    from draws as d
    inner join images as i on i.ranking = d.ranking and i.domain = d.domain and i.place = d.place
    group by d.stratum, i.image_id, d.sample
),

per_image as (
    select
        u.unit, d.stratum, s.image_id,
        -- Whole numbers below 2^53 stay whole as doubles, so the order of the sum does not matter.
        cast(sum(s.n_answers) as double) as n_answers,
        cast(sum(s.n_correct) as double) as n_correct,
        cast(sum(s.score_parts) as double) as score_parts
    from sums as s
    inner join units as u
        on u.protocol = s.protocol and u.reader = s.reader and u.prompt = s.prompt and u.provenance = s.provenance
        and u.model_id = s.model_id
    inner join domain_sizes as d on d.ranking = u.ranking and d.domain = s.domain
    group by u.unit, d.stratum, s.image_id
),

resampled as (
    select
        w.sample, p.unit, p.stratum,
        sum(w.weight * p.score_parts) / sum(w.weight * p.n_answers) as score,
        sum(w.weight * p.n_correct) / sum(w.weight * p.n_answers) as accuracy
    from weights as w
    inner join per_image as p on p.image_id = w.image_id and p.stratum = w.stratum
    group by w.sample, p.unit, p.stratum
),

resampled_domains as (
    select r.sample, r.unit, d.domain, exact(r.score / 232792560) as score, exact(r.accuracy) as accuracy
    from resampled as r
    inner join domain_sizes as d on d.stratum = r.stratum
),

resampled_all as (
    select sample, unit, domain, score, accuracy
    from resampled_domains
    union all
    select sample, unit, 'Overall' as domain, sum(score) / 4 as score, sum(accuracy) / 4 as accuracy
    from resampled_domains
    where domain in ('Natural', 'Document', 'E-commerce', 'Embodied AI')
    group by sample, unit
    having count(*) = 4
),

resampled_places as (
    select
        a.sample, a.unit, a.domain,
        rank() over (partition by a.sample, u.ranking, a.domain order by a.score desc) as by_score,
        rank() over (partition by a.sample, u.ranking, a.domain order by a.accuracy desc) as by_accuracy
    from resampled_all as a
    inner join units as u on u.unit = a.unit
),

spans as (
    select
        unit, domain,
        discrete_quantile(by_score, 0.025) as score_low,
        discrete_quantile(by_score, 0.975) as score_high,
        sum(case when by_score = 1 then 1 else 0 end) as score_first,
        discrete_quantile(by_accuracy, 0.025) as accuracy_low,
        discrete_quantile(by_accuracy, 0.975) as accuracy_high,
        sum(case when by_accuracy = 1 then 1 else 0 end) as accuracy_first,
        count(*) as n_samples
    from resampled_places
    group by unit, domain
),

sizes as (
    select ranking, domain, n_images
    from domain_sizes
    union all
    select ranking, 'Overall' as domain, sum(n_images) as n_images
    from domain_sizes
    where domain in ('Natural', 'Document', 'E-commerce', 'Embodied AI')
    group by ranking
),

placed as (
    select
        k.protocol, k.reader, k.prompt, k.provenance, k.origin, k.domain, k.metric, k.model_id, k.value, k.value_se, k.n_questions,
            k.clusters,
        k.place, k.n_models,
        case when k.metric = 'score' then s.score_low else s.accuracy_low end as place_low,
        case when k.metric = 'score' then s.score_high else s.accuracy_high end as place_high,
        ratio_of(case when k.metric = 'score' then s.score_first else s.accuracy_first end, s.n_samples) as share_first,
        case when s.unit is not null then z.n_images end as n_images,
        s.n_samples
    from ranked as k
    left join units as u
        on k.origin = 'answers' and u.protocol = k.protocol and u.reader = k.reader and u.prompt = k.prompt
        and u.provenance = k.provenance and u.model_id = k.model_id
    left join spans as s on s.unit = u.unit and s.domain = k.domain
    left join sizes as z on z.ranking = u.ranking and z.domain = k.domain
)

select
    p.protocol, p.reader, p.prompt, p.provenance, p.origin, p.domain, p.metric, p.model_id,
    coalesce(r.name, p.model_id) as model,
    p.value, p.value_se,
    p.place as rank,
    p.place_low as rank_low,
    p.place_high as rank_high,
    p.share_first, p.n_models, p.n_images, p.n_samples, p.n_questions, p.clusters
from placed as p
left join registry as r on r.model_id = p.model_id;

-- audit: someone_is_first: every ranking has a first place
select protocol, reader, prompt, provenance, origin, domain, metric, min(rank) as best
from captionqa_ranks
group by protocol, reader, prompt, provenance, origin, domain, metric
having min(rank) <> 1;

-- audit: interval_in_order: the interval of a rank ends within the captioners that are ranked, that of a value holds it
select model_id, prompt, domain, metric, value, value_low, value_high, rank_low, rank_high, n_models
from captionqa_ranks
where rank_low > rank_high or rank_high > n_models or value not between value_low and value_high or value_low = value_high;
