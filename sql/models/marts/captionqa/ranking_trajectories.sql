-- what: score and accuracy of each captioner over k random images, for every k, as the stability figures draw them;
--     QA-on-caption only
-- key: [protocol, reader, prompt, provenance, domain, captioner, n_images]
-- source: CaptionQA Figures 15 and 16
-- compute: ranking_trajectories
-- columns:
--   protocol, reader:
--   prompt: [varchar, "caption prompt: the one that the run chose, Simple unless told otherwise"]
--   provenance, domain, captioner, captioner_name:
--   n_images: [bigint, count, 1.., "k, images drawn"]
--   all_images: [bigint, count, "images that the captioner has answers for: the greatest k"]
--   n_trials: [bigint, count, 1.., "random orders of the images: at most the first ten orders of ranking_stability"]
--   accuracy: [double, percent, 0..100, mean over trials of the accuracy over the k images]
--   accuracy_sd: [double, percent, standard deviation over trials; null for one trial]
--   score: [double, percent, 0..105, mean over trials of the score over the k images]
--   score_sd: [double, percent, standard deviation over trials; null for one trial]
-- intervals:
--   accuracy: "t(accuracy_sd / sqrt(n_trials), n_trials); trials - 1 degrees of freedom: it tells how well the random
--       orders were averaged; the images are the bank's"
--   score: "t(score_sd / sqrt(n_trials), n_trials); trials - 1 degrees of freedom: it tells how well the random orders
--       were averaged, the images are the bank's"

-- The computation takes the answers of each captioner about each image, and draws orders of the images. The paper draws
-- ten trials; the figures would not show more.
select
    protocol, reader, prompt, provenance, domain, captioner, model_name(captioner) as captioner_name, image_id,
    cast(n_answers as double) as n_answers, cast(n_correct as double) as n_correct,
    cast(score_parts as double) as score_parts, sampling_seed() as seed, least(stability_trials(), 10) as trials
from answered() as i
inner join (
    select condition_id, section as domain from boards where benchmark = 'captionqa' and origin = 'answers' and is_first
) as s using (condition_id, domain)
where i.level = 'domain' and evidence = 'caption' and prompt = pool_prompts()[1]
order by protocol, reader, prompt, provenance, domain, captioner, image_id;

-- audit: ends_at_the_mean: over all images no trial differs from another
select protocol, reader, domain, captioner, n_images, accuracy_sd, score_sd
from ranking_trajectories
where n_images = all_images and (accuracy_sd > 0.0001 or score_sd > 0.0001);
