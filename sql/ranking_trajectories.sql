-- model: ranking_trajectories
-- what: score and accuracy of each captioner over k random images, for every k: the lines of the stability figures
-- grain: one row per protocol, reader, prompt, provenance, domain, captioner and number of images; QA-on-caption only
-- key: protocol, reader, prompt, provenance, domain, model_id, n_images
-- inputs: captionqa_image_sums, models
-- source: CaptionQA Figures 15 and 16
-- columns:
--   protocol       varchar  -        how questions were put, parsed and scored
--   reader         varchar  -        model_id of the model that answered
--   prompt         varchar  -        caption prompt: the one that the run chose, Simple unless told otherwise
--   provenance     varchar  -        published, measured or simulated
--   domain         varchar  -        domain
--   model_id       varchar  -        captioner
--   model          varchar  -        name of the model to show to people
--   n_images       bigint   count    k, images drawn
--   all_images     bigint   count    images that the captioner has answers for: the greatest k
--   n_trials       bigint   count    random orders of the images, the first ten of those of ranking_stability at most
--   accuracy       double   percent  mean over trials of the accuracy over the k images
--   accuracy_sd    double   percent  standard deviation over trials; null for one trial
--   accuracy_low   double   percent  lower end of the 95 % t interval of the mean over trials, trials - 1 degrees of freedom: it tells how well the random orders were averaged, the images being those of the bank
--   accuracy_high  double   percent  upper end of that interval
--   score          double   percent  mean over trials of the score over the k images
--   score_sd       double   percent  standard deviation over trials; null for one trial
--   score_low      double   percent  lower end of the 95 % t interval of the mean over trials, trials - 1 degrees of freedom: it tells how well the random orders were averaged, the images being those of the bank
--   score_high     double   percent  upper end of that interval
-- checks:
--   n_images >= 1
--   n_trials >= 1
--   accuracy between 0 and 100
--   score between 0 and 105

with per_image as (
    select
        protocol, reader, prompt, provenance, domain, model_id, image_id,
        cast(sum(n_answers) as double) as n_answers,
        cast(sum(n_correct) as double) as n_correct,
        cast(sum(score_parts) as double) as score_parts
    from captionqa_image_sums
    where evidence = 'caption' and prompt = stability_prompt()
    group by protocol, reader, prompt, provenance, domain, model_id, image_id
),

registry as (
    select model_id, name
    from models
),

-- The paper draws ten trials; more would not be seen in the figures.
trials as (
    select i as trial
    from numbers_to(least(stability_trials(), 10)) as t
),

images as (
    select distinct domain, image_id
    from per_image
),

orders as (
    select i.domain, i.image_id, t.trial, random_of(sampling_seed(), i.domain, t.trial, i.image_id) as position
    from images as i
    cross join trials as t
),

steps as (
    select
        p.protocol, p.reader, p.prompt, p.provenance, p.domain, p.model_id,
        row_number() over so_far as k,
        sum(p.n_correct) over so_far / sum(p.n_answers) over so_far as accuracy,
        score_of_parts(sum(p.score_parts) over so_far) / sum(p.n_answers) over so_far as score
    from per_image as p
    inner join orders as o on o.domain = p.domain and o.image_id = p.image_id
    window so_far as (
        partition by p.protocol, p.reader, p.prompt, p.provenance, p.domain, p.model_id, o.trial
        order by o.position, p.image_id
        rows unbounded preceding
    )
),

over_trials as (
    select
        protocol, reader, prompt, provenance, domain, model_id, k,
        max(k) over (partition by protocol, reader, prompt, provenance, domain, model_id) as all_images,
        count(*) as n_trials,
        sum(exact(accuracy)) as accuracy_sum,
        sum(exact_square(accuracy)) as accuracy_squares,
        sum(exact(score)) as score_sum,
        sum(exact_square(score)) as score_squares
    from steps
    group by protocol, reader, prompt, provenance, domain, model_id, k
),

measured as (
    select
        protocol, reader, prompt, provenance, domain, model_id, k, all_images, n_trials,
        percent_of(accuracy_sum, n_trials) as accuracy,
        100 * deviation_of(accuracy_sum, accuracy_squares, n_trials) as accuracy_sd,
        percent_of(score_sum, n_trials) as score,
        100 * deviation_of(score_sum, score_squares, n_trials) as score_sd
    from over_trials
)

select
    cast(t.protocol as varchar) as protocol,
    cast(t.reader as varchar) as reader,
    cast(t.prompt as varchar) as prompt,
    cast(t.provenance as varchar) as provenance,
    cast(t.domain as varchar) as domain,
    cast(t.model_id as varchar) as model_id,
    cast(coalesce(r.name, t.model_id) as varchar) as model,
    cast(t.k as bigint) as n_images,
    cast(t.all_images as bigint) as all_images,
    cast(t.n_trials as bigint) as n_trials,
    cast(t.accuracy as double) as accuracy,
    cast(t.accuracy_sd as double) as accuracy_sd,
    cast(t.accuracy - t_margin(t.accuracy_sd / sqrt(t.n_trials), t.n_trials) as double) as accuracy_low,
    cast(t.accuracy + t_margin(t.accuracy_sd / sqrt(t.n_trials), t.n_trials) as double) as accuracy_high,
    cast(t.score as double) as score,
    cast(t.score_sd as double) as score_sd,
    cast(t.score - t_margin(t.score_sd / sqrt(t.n_trials), t.n_trials) as double) as score_low,
    cast(t.score + t_margin(t.score_sd / sqrt(t.n_trials), t.n_trials) as double) as score_high
from measured as t
left join registry as r on r.model_id = t.model_id;

-- audit: ends_at_the_mean: over all images no trial differs from another
select protocol, reader, domain, model_id, n_images, accuracy_sd, score_sd
from ranking_trajectories
where n_images = all_images and (accuracy_sd > 0.0001 or score_sd > 0.0001);

-- audit: interval_holds_estimate: an interval holds its estimate
select protocol, reader, domain, model_id, n_images, accuracy, accuracy_low, accuracy_high, score, score_low, score_high
from ranking_trajectories
where accuracy not between accuracy_low and accuracy_high or score not between score_low and score_high;
