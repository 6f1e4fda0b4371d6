-- shows: How often readers find no answer in short captions
-- about: 'Short prompt. Cannot: share of all answers that chose "Cannot answer from the caption", the rate of
--     CaptionQA section 14.5; of
--    offered: share of the answers to questions that offer it, the rate of Tables 11 to 26.'
-- paper: CaptionQA, Section 14.5
-- benchmark: captionqa
-- columns:
--   - {name: domain}
--   - {name: category}
--   - {name: cannot_rate, head: Cannot (%), decimals: 1}
--   - {name: cannot_rate_offered, head: of offered (%), decimals: 1}
--   - {name: n_models, head: Captioners, decimals: 0}

with rates as (
    select
        provenance, protocol, reader, 'category' as level, domain, category, n_models, cannot_rate, cannot_rate_low,
        cannot_rate_high,
        cannot_rate_offered, cannot_rate_offered_low, cannot_rate_offered_high
    from captionqa_category_summary
    semi join shown_readers using (protocol, reader, provenance)
    where prompt = 'Short' and cannot_rate is not null
    union all by name
    select
        provenance, protocol, reader, 'domain' as level, domain, '' as category, count(*) as n_models,
        avg(cannot_rate) as cannot_rate,
        avg(cannot_rate_offered) as cannot_rate_offered
    from captionqa_scores
    semi join (select condition_id, origin, section as domain from shown_boards) using (condition_id, origin, domain)
    where prompt = 'Short' and evidence = 'caption' and level = 'domain'
        and coalesce(cannot_rate, cannot_rate_offered) is not null
    group by provenance, protocol, reader, origin, domain
)

select
    *, 'Level ' || level || case
        when cannot_rate is null then ', printed for the questions that offer the option alone' when cannot_rate > 70
            then ', above 70%' else ', at most 70%'
    end as section
from rates
order by level, cannot_rate desc nulls last, cannot_rate_offered desc nulls last, domain, category, n_models
