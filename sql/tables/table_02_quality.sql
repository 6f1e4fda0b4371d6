-- shows: Share of questions that are right (%), before and after people checked them
-- paper: CaptionQA, Table 2
-- benchmark: captionqa
-- columns:
--   - {name: checked, head: Stage}
--   - {name: accuracy, decimals: 1, best: highest, across: domain}

select
    *,
    case stage when 'pre_quality' then 'Before quality control' when 'post_quality' then 'After quality control'
        else stage end as checked,
    domain_order(domain) as across_place
from captionqa_quality
order by stage desc, domain
