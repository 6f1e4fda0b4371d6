-- model: ranking_trajectories
-- what: "score and accuracy of each captioner over k random images, for every k: the lines of the stability figures"
-- grain: one row per protocol, reader, prompt, provenance, domain, captioner and number of images; QA-on-caption only
-- key: [protocol, reader, prompt, provenance, domain, captioner, n_images]
-- inputs: [captionqa_domain_images, models]
-- source: CaptionQA Figures 15 and 16
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the model that answered]
--   prompt: [varchar, "caption prompt: the one that the run chose, Simple unless told otherwise"]
--   provenance: [varchar, "published, measured or simulated"]
--   domain: [varchar, domain]
--   captioner: [varchar, {was: model_id}, model_id of the captioner]
--   captioner_name: [varchar, {was: model}, name of the captioner to show to people]
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
        protocol, reader, prompt, provenance, domain, captioner, image_id, cast(sum(n_answers) as double) as n_answers,
        cast(sum(n_correct) as double) as n_correct, cast(sum(score_parts) as double) as score_parts
    from captionqa_domain_images
    where evidence = 'caption' and prompt = stability_prompt()
    group by protocol, reader, prompt, provenance, domain, captioner, image_id
),

-- The paper draws ten trials; more would not be seen in the figures.
orders as (
    select domain, image_id, t.i as trial, random_of(sampling_seed(), domain, t.i, image_id) as position
    from (select distinct domain, image_id from per_image) as i
    cross join numbers_to(least(stability_trials(), 10)) as t
),

steps as (
    select
        protocol, reader, prompt, provenance, domain, captioner,
        row_number() over so_far as k,
        count(*) over (partition by protocol, reader, prompt, provenance, domain, captioner, trial) as all_images,
        sum(n_correct) over so_far / sum(n_answers) over so_far as accuracy,
        score_of_parts(sum(score_parts) over so_far) / sum(n_answers) over so_far as score
    from per_image
    inner join orders using (domain, image_id)
    window so_far as (
        partition by protocol, reader, prompt, provenance, domain, captioner, trial
        order by position, image_id
        rows unbounded preceding
    )
)

select
    s.protocol, s.reader, s.prompt, s.provenance, s.domain, s.captioner, coalesce(r.name, s.captioner) as captioner_name,
    s.k as n_images, s.all_images, count(*) as n_trials,
    percent_of(sum(exact(s.accuracy)), count(*)) as accuracy,
    100 * deviation_of(sum(exact(s.accuracy)), sum(exact_square(s.accuracy)), count(*)) as accuracy_sd,
    percent_of(sum(exact(s.score)), count(*)) as score,
    100 * deviation_of(sum(exact(s.score)), sum(exact_square(s.score)), count(*)) as score_sd
from steps as s
left join models as r on r.model_id = s.captioner
group by s.protocol, s.reader, s.prompt, s.provenance, s.domain, s.captioner, r.name, s.k, s.all_images;

-- audit: ends_at_the_mean: over all images no trial differs from another
select protocol, reader, domain, captioner, n_images, accuracy_sd, score_sd
from ranking_trajectories
where n_images = all_images and (accuracy_sd > 0.0001 or score_sd > 0.0001);
