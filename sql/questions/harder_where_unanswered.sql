-- shows: Do categories whose questions captions leave unanswered have low scores?
-- about: "Pearson's r over categories of the cannot rate, as a share of all answers and of those to questions that offer the option, and the
--   difficulty, 100 less the mean score. CaptionQA section 15 states 0.68."

select
    coalesce(domain, 'All') as domain, prompt, basis, count(*) as n_categories, round(corr(cannot_rate, 100 - mean_score), 3) as pearson,
    round(corr(cannot_rate_offered, 100 - mean_score), 3) as pearson_offered, provenance, protocol, reader
from captionqa_category_summary
where cannot_rate is not null and mean_score is not null
group by grouping sets ((provenance, protocol, reader, prompt, basis, domain), (provenance, protocol, reader, prompt, basis))
order by provenance, protocol, reader, prompt, basis, domain nulls first;
