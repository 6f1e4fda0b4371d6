-- model: category_difficulty
-- what: do categories with a high cannot rate have low scores? Pearson r over categories
-- grain: one row per protocol, reader, prompt, provenance, basis and domain (All included)
-- key: protocol, reader, prompt, provenance, basis, domain
-- inputs: captionqa_category_summary
-- source: CaptionQA section 15: cannot-answer rates correlate with difficulty, r = 0.68
-- columns:
--   protocol      varchar  -            how questions were put, parsed and scored
--   reader        varchar  -            model_id of the model that answered
--   prompt        varchar  -            caption prompt
--   provenance    varchar  -            published, measured or simulated
--   basis         varchar  -            answers: computed; Table 9: recomputed from the printed rows; the leaderboard has no cannot rates
--   domain        varchar  -            domain, or All: the categories of all domains together
--   n_categories  bigint   count        categories
--   pearson       double   correlation  Pearson r of cannot rate and difficulty, difficulty being 100 minus the mean score; null below two categories or without variation
-- checks:
--   basis in answers, Table 9
--   n_categories >= 1
--   pearson between -1.000000001 and 1.000000001

with categories as (
    select protocol, reader, prompt, provenance, basis, domain, cannot_rate_offered as cannot_rate, 100 - mean_score as difficulty
    from captionqa_category_summary
    where cannot_rate_offered is not null and basis <> 'leaderboard'
),

sums as (
    select
        c.protocol, c.reader, c.prompt, c.provenance, c.basis, series.domain,
        count(*) as n_categories,
        sum(exact(c.cannot_rate)) as x,
        sum(exact(c.difficulty)) as y,
        sum(exact_square(c.cannot_rate)) as xx,
        sum(exact_square(c.difficulty)) as yy,
        sum(exact_product(c.cannot_rate, c.difficulty)) as xy
    from categories as c
    cross join lateral (values (c.domain), ('All')) as series (domain)
    group by c.protocol, c.reader, c.prompt, c.provenance, c.basis, series.domain
)

select
    cast(s.protocol as varchar) as protocol,
    cast(s.reader as varchar) as reader,
    cast(s.prompt as varchar) as prompt,
    cast(s.provenance as varchar) as provenance,
    cast(s.basis as varchar) as basis,
    cast(s.domain as varchar) as domain,
    cast(s.n_categories as bigint) as n_categories,
    cast(correlation_of(s.n_categories, s.x, s.y, s.xx, s.yy, s.xy) as double) as pearson
from sums as s;

-- audit: all_is_the_sum: the categories of the domains are those of the row All
select protocol, reader, prompt, provenance, basis
from category_difficulty
group by protocol, reader, prompt, provenance, basis
having sum(case when domain = 'All' then n_categories else -n_categories end) <> 0;
