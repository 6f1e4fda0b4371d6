-- shows: Size of the question bank by domain
-- asks: How large is the question bank?
-- paper: CaptionQA, Table 1
-- benchmark: captionqa
-- columns:
--   - {name: domain}
--   - {name: questions, decimals: 0}
--   - {name: top_level, head: Top-level, decimals: 0}
--   - {name: subcategories, head: Sub, decimals: 0}
--   - {name: images, decimals: 0}
--   - {name: questions_per_image, decimals: 1}

select *, 'Bank: ' || bank as section
from dataset_statistics
order by domain_order(domain), domain
