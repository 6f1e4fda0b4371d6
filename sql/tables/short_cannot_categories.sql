-- shows: How often readers find no answer in short captions
-- about: 'Short prompt. Cannot: share of all answers that chose "Cannot answer from the caption", the rate of CaptionQA section 14.5; of
--    offered: share of the answers to questions that offer it, the rate of Tables 11 to 26.'
-- paper: CaptionQA, Section 14.5
-- benchmark: captionqa
-- reads: [short_cannot_categories]
-- columns:
--   - {name: domain}
--   - {name: category}
--   - {name: cannot_rate, head: Cannot (%), decimals: 1}
--   - {name: cannot_rate_offered, head: of offered (%), decimals: 1}
--   - {name: n_models, head: Captioners, decimals: 0}

select
    *, 'Level ' || level || case
        when cannot_rate is null then ', printed for the questions that offer the option alone' when cannot_rate > 70 then ', above 70 %' else ', at most 70 %'
    end as section
from short_cannot_categories
order by level, cannot_rate desc nulls last, cannot_rate_offered desc nulls last, domain, category
