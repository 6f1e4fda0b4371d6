-- shows: Questions per image
-- paper: CaptionQA, Figure 8
-- benchmark: captionqa
-- columns:
--   - {name: domain}
--   - {name: n_images, head: Images, decimals: 0}
--   - {name: n_questions, head: Questions, decimals: 0}
--   - {name: mean, decimals: 1}
--   - {name: sd, head: SD, decimals: 1}
--   - {name: smallest, head: Least, decimals: 0}
--   - {name: lower_quartile, head: Quartile 1, decimals: 1}
--   - {name: median, decimals: 1}
--   - {name: upper_quartile, head: Quartile 3, decimals: 1}
--   - {name: largest, head: Most, decimals: 0}

-- Quartiles are interpolated between the images next to them, like the quartiles of Figure 8's boxes.
with spread as (
    select
        bank, domain, stddev_samp(n_questions) as sd, min(n_questions) as smallest,
        quantile_cont(n_questions, 0.25) as lower_quartile,
        median(n_questions) as median, quantile_cont(n_questions, 0.75) as upper_quartile, max(n_questions) as largest
    from questions_per_image
    group by bank, domain
)

select
    bank, domain, provenance, images as n_images, questions as n_questions, questions_per_image as mean,
    questions_per_image_low as mean_low, questions_per_image_high as mean_high, sd, smallest, lower_quartile, median,
    upper_quartile, largest
from dataset_statistics
left join spread using (bank, domain)
semi join shown_banks using (bank, provenance)
where domain <> 'Total'
order by domain_order(domain), domain
