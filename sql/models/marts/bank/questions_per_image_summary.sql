-- what: "how densely images are asked about: mean, spread and quartiles of the questions per image"
-- key: [origin, bank, domain]
-- source: CaptionQA Figure 8 and section 10.2; printed means from Table 1
-- columns:
--   origin: [varchar, [questions, published], "questions: counted; published: printed, of which only the mean can be had"]
--   bank: [varchar, "sample, simulation, ingested, or CaptionQA for printed rows"]
--   domain:
--   n_images: [bigint, count, 1.., images]
--   n_questions: [bigint, count, questions]
--   mean: [double, count, 0.., questions per image]
--   sd: [double, count, standard deviation over images; null for a single image and for printed rows]
--   smallest: [bigint, count, "fewest questions of an image; null for printed rows, as all that follow"]
--   lower_quartile: [double, count, "first quartile, interpolated between the images next to it as Figure 8's box is"]
--   median: [double, count, "middle image, or the mean of the two middle ones"]
--   upper_quartile: [double, count, "third quartile, interpolated like the first"]
--   largest: [bigint, count, most questions of an image]
-- intervals:
--   mean: t(n_images); images - 1 degrees of freedom

select
    'questions' as origin, bank, domain, count(*) as n_images, sum(n_questions) as n_questions,
    ratio_of(sum(n_questions), count(*)) as mean,
    deviation_of(sum(n_questions), sum(n_questions * n_questions), count(*)) as sd,
    deviation_of(sum(n_questions), sum(n_questions * n_questions), count(*)) / sqrt(count(*)) as mean_se,
    min(n_questions) as smallest, quantile_of(n_questions, 0.25) as lower_quartile, quantile_of(n_questions, 0.5) as median,
    quantile_of(n_questions, 0.75) as upper_quartile, max(n_questions) as largest
from questions_per_image
group by bank, domain
union all
select
    'published', 'CaptionQA', domain, printed_value(metric, 'images', value), printed_value(metric, 'questions', value),
    ratio_of(printed_value(metric, 'questions', value), printed_value(metric, 'images', value)), null, null, null, null, null, null, null
from published
where benchmark = 'captionqa' and source = 'paper' and item = 'Table 1' and domain <> 'Total'
group by domain;

-- audit: quartiles_in_order: quartiles lie between the extremes and in order
select bank, domain, smallest, lower_quartile, median, upper_quartile, largest
from questions_per_image_summary
where not (smallest <= lower_quartile and lower_quartile <= median and median <= upper_quartile and upper_quartile <= largest);
