-- model: category_difficulty
-- what: do categories with a high cannot rate have low scores? Pearson r over categories, for each of the two rates
-- grain: one row per protocol, reader, prompt, provenance, basis and domain (All included)
-- key: [protocol, reader, prompt, provenance, basis, domain]
-- inputs: [captionqa_category_summary]
-- source: "CaptionQA section 15: cannot-answer rates correlate with difficulty, r = 0.68"
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the model that answered]
--   prompt: [varchar, caption prompt]
--   provenance: [varchar, "published, measured or simulated"]
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

with categories as (
    select protocol, reader, prompt, provenance, basis, domain, cannot_rate, cannot_rate_offered, 100 - mean_score as difficulty
    from captionqa_category_summary
    where cannot_rate is not null and basis <> 'leaderboard'
),

sums as (
    select
        c.protocol, c.reader, c.prompt, c.provenance, c.basis, series.domain,
        count(*) as n_categories,
        sum(exact(c.cannot_rate)) as x,
        sum(exact(c.difficulty)) as y,
        sum(exact_square(c.cannot_rate)) as xx,
        sum(exact_square(c.difficulty)) as yy,
        sum(exact_product(c.cannot_rate, c.difficulty)) as xy,
        count(c.cannot_rate_offered) as n_offered,
        sum(exact(c.cannot_rate_offered)) as x_offered,
        sum(case when c.cannot_rate_offered is not null then exact(c.difficulty) end) as y_offered,
        sum(exact_square(c.cannot_rate_offered)) as xx_offered,
        sum(case when c.cannot_rate_offered is not null then exact_square(c.difficulty) end) as yy_offered,
        sum(exact_product(c.cannot_rate_offered, c.difficulty)) as xy_offered
    from categories as c
    cross join lateral (values (c.domain), ('All')) as series (domain)
    group by c.protocol, c.reader, c.prompt, c.provenance, c.basis, series.domain
),

correlations as (
    select
        protocol, reader, prompt, provenance, basis, domain, n_categories, n_offered,
        correlation_of(n_categories, x, y, xx, yy, xy) as pearson,
        correlation_of(nullif(n_offered, 0), x_offered, y_offered, xx_offered, yy_offered, xy_offered) as pearson_offered
    from sums
)

select
    c.protocol, c.reader, c.prompt, c.provenance, c.basis, c.domain, c.n_categories, c.pearson, c.pearson_offered, c.n_offered
from correlations as c;

-- audit: all_is_the_sum: the categories of the domains are those of the row All
select protocol, reader, prompt, provenance, basis
from category_difficulty
group by protocol, reader, prompt, provenance, basis
having sum(case when domain = 'All' then n_categories else -n_categories end) <> 0;
