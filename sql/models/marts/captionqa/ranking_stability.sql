-- what: the agreement of a ranking of captioners over k random images with the ranking over all images, for every k;
--     QA-on-caption only
-- key: [protocol, reader, prompt, provenance, domain, metric, n_images]
-- source: CaptionQA section 11 and Figures 15 and 16 (accuracy, score); the paper has 10 trials per size
-- compute: ranking_stability
-- columns:
--   protocol, reader:
--   prompt: [varchar, "caption prompt: the one that the run chose, Simple unless told otherwise"]
--   provenance, domain:
--   metric: [varchar, [accuracy, score]]
--   n_images: [bigint, count, 1.., "k, images drawn"]
--   all_images: [bigint, count, "images of the domain: the greatest k"]
--   n_models: [bigint, count, 2.., "captioners ranked: they have answers to the same questions about every image of the
--       domain; at least 2"]
--   n_trials: [bigint, count, 1.., random orders of the images; each gives one subset of every size]
--   n_defined: [bigint, count, "trials in which not all captioners are tied, so that a correlation exists"]
--   spearman: [double, correlation, -1.000000001..1.000000001, "mean over trials of Spearman's rho against the full
--       ranking, ties at mean ranks"]
--   spearman_sd: [double, correlation, standard deviation of rho over trials; null for one trial]
--   spearman_min: [double, correlation, smallest rho]
--   kendall: [double, correlation, -1.000000001..1.000000001, mean over trials of Kendall's tau-b against the full
--       ranking]
--   kendall_sd: [double, correlation, standard deviation of tau-b over trials; null for one trial]
--   kendall_min: [double, correlation, smallest tau-b]
--   share_above: [double, share, 0..1, share of the trials whose rho is above 0.95]
-- intervals:
--   spearman: "t(spearman_sd / sqrt(n_defined), n_defined); trials - 1 degrees of freedom: it tells how well the random
--       orders were averaged; the images are the bank's"
--   kendall: "t(kendall_sd / sqrt(n_defined), n_defined); trials - 1 degrees of freedom: it tells how well the random
--       orders were averaged; the images are the bank's"

-- The computation takes the answers of each captioner about each image, and draws orders of the images.
select
    protocol, reader, prompt, provenance, domain, captioner, image_id,
    cast(n_answers as double) as n_answers, cast(n_correct as double) as n_correct,
    cast(score_parts as double) as score_parts, sampling_seed() as seed, stability_trials() as trials
from answered() as i
inner join (
    select condition_id, section as domain from boards where benchmark = 'captionqa' and origin = 'answers' and is_first
        and n_captioners > 1
) as s using (condition_id, domain)
where i.level = 'domain' and evidence = 'caption' and prompt = pool_prompts()[1]
order by protocol, reader, prompt, provenance, domain, captioner, image_id;

-- audit: all_images_agree: with every image drawn the ranking is the full ranking
select protocol, reader, prompt, provenance, domain, metric, n_images, spearman_min, kendall_min
from ranking_stability
where n_images = all_images and (spearman_min < 0.999999999 or kendall_min < 0.999999999);

-- audit: every_size: each size from one image to all of them is there
select protocol, reader, prompt, provenance, domain, metric, count(*) as n_sizes, max(all_images) as all_images
from ranking_stability
group by protocol, reader, prompt, provenance, domain, metric
having count(*) <> max(all_images);
