-- model: category_difficulty
-- what: do categories with a high cannot rate have low scores? Pearson r over categories, for each of the two rates
-- grain: one row per protocol, reader, prompt, provenance, basis and domain (All included)
-- key: protocol, reader, prompt, provenance, basis, domain
-- inputs: captionqa_category_summary
-- source: CaptionQA section 15: cannot-answer rates correlate with difficulty, r = 0.68
-- columns:
--   protocol              varchar  -            how questions were put, parsed and scored
--   reader                varchar  -            model_id of the model that answered
--   prompt                varchar  -            caption prompt
--   provenance            varchar  -            published, measured or simulated
--   basis                 varchar  -            answers: computed; Table 9: recomputed from the printed rows; the leaderboard has no cannot rates
--   domain                varchar  -            domain, or All: the categories of all domains together
--   n_categories          bigint   count        categories
--   pearson               double   correlation  Pearson r of cannot rate and difficulty: the rate is the share of all questions, which Table 9 prints, difficulty 100 minus the mean score; null below two categories or without variation
--   pearson_low           double   correlation  lower end of the 95 % interval of pearson by Fisher's z: it takes the categories for independent draws, and so covers which of them there are, but neither the images of each nor the captioners; null below four categories
--   pearson_high          double   correlation  upper end of that interval
--   pearson_offered       double   correlation  the same of the rate among the questions that offer the cannot option; null as pearson is, and on the basis Table 9
--   pearson_offered_low   double   correlation  lower end of the 95 % interval of pearson_offered by Fisher's z, as of pearson
--   pearson_offered_high  double   correlation  upper end of that interval
-- checks:
--   basis in answers, Table 9
--   n_categories >= 1
--   pearson between -1.000000001 and 1.000000001
--   pearson_offered between -1.000000001 and 1.000000001

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
    cast(c.protocol as varchar) as protocol,
    cast(c.reader as varchar) as reader,
    cast(c.prompt as varchar) as prompt,
    cast(c.provenance as varchar) as provenance,
    cast(c.basis as varchar) as basis,
    cast(c.domain as varchar) as domain,
    cast(c.n_categories as bigint) as n_categories,
    cast(c.pearson as double) as pearson,
    cast(correlation_bound(c.pearson, c.n_categories, -1) as double) as pearson_low,
    cast(correlation_bound(c.pearson, c.n_categories, 1) as double) as pearson_high,
    cast(c.pearson_offered as double) as pearson_offered,
    cast(correlation_bound(c.pearson_offered, c.n_offered, -1) as double) as pearson_offered_low,
    cast(correlation_bound(c.pearson_offered, c.n_offered, 1) as double) as pearson_offered_high
from correlations as c;

-- audit: all_is_the_sum: the categories of the domains are those of the row All
select protocol, reader, prompt, provenance, basis
from category_difficulty
group by protocol, reader, prompt, provenance, basis
having sum(case when domain = 'All' then n_categories else -n_categories end) <> 0;

-- audit: interval_holds_estimate: an interval holds its estimate
select protocol, reader, prompt, basis, domain, pearson, pearson_low, pearson_high
from category_difficulty
where pearson < pearson_low - 0.000001 or pearson > pearson_high + 0.000001
    or pearson_offered < pearson_offered_low - 0.000001 or pearson_offered > pearson_offered_high + 0.000001;
