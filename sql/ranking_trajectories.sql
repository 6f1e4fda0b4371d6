-- model: ranking_trajectories
-- what: "score and accuracy of each captioner over k random images, for every k: the lines of the stability figures"
-- grain: one row per protocol, reader, prompt, provenance, domain, captioner and number of images; QA-on-caption only
-- key: [protocol, reader, prompt, provenance, domain, model_id, n_images]
-- inputs: [captionqa_image_sums, models]
-- source: CaptionQA Figures 15 and 16
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the model that answered]
--   prompt: [varchar, "caption prompt: the one that the run chose, Simple unless told otherwise"]
--   provenance: [varchar, "published, measured or simulated"]
--   domain: [varchar, domain]
--   model_id: [varchar, captioner]
--   model: [varchar, name of the model to show to people]
--   n_images: [bigint, count, 1.., "k, images drawn"]
--   all_images: [bigint, count, "images that the captioner has answers for: the greatest k"]
--   n_trials: [bigint, count, 1.., "random orders of the images, the first ten of those of ranking_stability at most"]
--   accuracy: [double, percent, 0..100, mean over trials of the accuracy over the k images]
--   accuracy_sd: [double, percent, standard deviation over trials; null for one trial]
--   score: [double, percent, 0..105, mean over trials of the score over the k images]
--   score_sd: [double, percent, standard deviation over trials; null for one trial]
-- intervals:
--   accuracy: "t(accuracy_sd / sqrt(n_trials), n_trials); trials - 1 degrees of freedom, : it tells how well the random orders were
--       averaged, the images being those of the bank"
--   score: "t(score_sd / sqrt(n_trials), n_trials); trials - 1 degrees of freedom, : it tells how well the random orders were averaged, the
--       images being those of the bank"

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
    t.protocol, t.reader, t.prompt, t.provenance, t.domain, t.model_id,
    coalesce(r.name, t.model_id) as model,
    t.k as n_images,
    t.all_images, t.n_trials, t.accuracy, t.accuracy_sd, t.score, t.score_sd
from measured as t
left join registry as r on r.model_id = t.model_id;

-- audit: ends_at_the_mean: over all images no trial differs from another
select protocol, reader, domain, model_id, n_images, accuracy_sd, score_sd
from ranking_trajectories
where n_images = all_images and (accuracy_sd > 0.0001 or score_sd > 0.0001);
