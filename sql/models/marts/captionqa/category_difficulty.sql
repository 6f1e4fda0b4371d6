-- what: do categories with a high cannot rate have low scores? Pearson r over categories, for each of the two rates
-- key: [protocol, reader, prompt, provenance, basis, domain]
-- source: "CaptionQA section 15: cannot-answer rates correlate with difficulty, r = 0.68"
-- columns:
--   protocol, reader, prompt, provenance:
--   basis: [varchar, [answers, Table 9], "answers: computed; Table 9: recomputed from the printed rows; the leaderboard has no cannot
--       rates"]
--   domain: [varchar, "domain, or All: the categories of all domains together"]
--   n_categories: [bigint, count, 1.., categories]
--   pearson: [double, correlation, -1.000000001..1.000000001, "Pearson r of cannot rate and difficulty: the rate is the share of all
--       questions, which Table 9 prints, difficulty 100 minus the mean score; null below two categories or without variation"]
--   pearson_offered: [double, correlation, -1.000000001..1.000000001, "the same of the rate among the questions that offer the cannot
--       option; null as pearson is, and on the basis Table 9"]
-- intervals:
--   pearson: fisher(n_categories); it takes the categories for independent draws, and so covers which of them there are, but neither the
--       images of each nor the captioners; null below four categories
--   pearson_offered: fisher(n_offered); as of pearson

select
    c.protocol, c.reader, c.prompt, c.provenance, c.basis, series.domain,
    count(*) as n_categories, pearson_of(c.cannot_rate, 100 - c.mean_score) as pearson,
    count(c.cannot_rate_offered) as n_offered, pearson_of(c.cannot_rate_offered, 100 - c.mean_score) as pearson_offered
from captionqa_category_summary as c
cross join lateral (values (c.domain), ('All')) as series (domain)
where c.cannot_rate is not null and c.basis <> 'leaderboard'
group by c.protocol, c.reader, c.prompt, c.provenance, c.basis, series.domain;

-- audit: all_is_the_sum: the categories of the domains are those of the row All
select protocol, reader, prompt, provenance, basis
from category_difficulty
group by protocol, reader, prompt, provenance, basis
having sum(case when domain = 'All' then n_categories else -n_categories end) <> 0;
