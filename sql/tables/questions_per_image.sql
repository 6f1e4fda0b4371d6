-- shows: Questions per image
-- paper: CaptionQA, Figure 8
-- benchmark: captionqa
-- reads: [questions_per_image_summary, dataset_statistics]
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

from questions_per_image_summary
inner join (select distinct bank, provenance from dataset_statistics) using (bank)
order by coalesce(list_position(['Natural', 'Document', 'E-commerce', 'Embodied AI', 'Overall', 'Total', 'All', ''], domain), 4.5), domain
