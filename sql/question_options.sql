-- model: question_options
-- what: how many options questions have, and how many are yes/no questions
-- grain: one row per bank, domain and number of options
-- key: bank, domain, n_options
-- inputs: questions
-- source: CaptionQA Figure 7; section 10.1
-- columns:
--   bank          varchar  -        sample for the sample set, simulation for simulated questions, ingested for all others
--   domain        varchar  -        domain, or Total
--   n_options     bigint   count    options without the cannot option
--   n_questions   bigint   count    questions with that many options
--   share         double   percent  share of the questions of the domain
--   n_yes_no      bigint   count    of them, yes/no questions by the published rule: they offer no cannot option
--   share_yes_no  double   percent  n_yes_no as a share of the questions of the domain
-- checks:
--   n_options >= 0
--   n_questions >= 1
--   share between 0 and 100
--   share_yes_no between 0 and 100

with bank_questions as (
    select
        case source when 'captionlake sample set' then 'sample' when 'captionlake simulation' then 'simulation' else 'ingested' end as bank,
        domain, category, subcategory, image_id, question_id, len(options) as n_options, yes_no
    from questions
),

counted as (
    select bank, series.domain, n_options, count(*) as n_questions, sum(case when yes_no then 1 else 0 end) as n_yes_no
    from bank_questions as q
    cross join lateral (values (q.domain), ('Total')) as series (domain)
    group by bank, series.domain, n_options
)

select
    cast(c.bank as varchar) as bank,
    cast(c.domain as varchar) as domain,
    cast(c.n_options as bigint) as n_options,
    cast(c.n_questions as bigint) as n_questions,
    cast(percent_of(c.n_questions, sum(c.n_questions) over (partition by c.bank, c.domain)) as double) as share,
    cast(c.n_yes_no as bigint) as n_yes_no,
    cast(percent_of(c.n_yes_no, sum(c.n_questions) over (partition by c.bank, c.domain)) as double) as share_yes_no
from counted as c;

-- audit: shares_add_up: the shares of a domain add up to 100 percent
select bank, domain, sum(share) as total
from question_options
group by bank, domain
having abs(sum(share) - 100) > 0.000001;

-- audit: two_options: a question with one option asks nothing; none means that the options are not at hand
select bank, domain, n_options, n_questions
from question_options
where n_options = 1;
