-- shows: Questions by category
-- paper: CaptionQA, Figures 9–12
-- benchmark: captionqa
-- columns:
--   - {name: category}
--   - {name: n_questions, head: Questions, decimals: 0}
--   - {name: share, head: Share (%), decimals: 1}
--   - {name: stated_share, head: Stated (%), decimals: 1}
--   - {name: n_images, head: Images, decimals: 0}
--   - {name: n_subcategories, head: Subcategories, decimals: 0}

select
    *, domain as section,
    case when max(stated_share) over (partition by bank) > 0
        then 'Share: of the counts that Table 9 prints. Stated: the share in section 8.1.' end as note
from category_questions
inner join shown_banks using (bank)
order by domain_order(domain), domain, place, category
