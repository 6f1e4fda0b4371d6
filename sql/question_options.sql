-- model: question_options
-- what: how many options questions have, and how many are yes/no questions
-- grain: one row per bank, domain and number of options
-- key: bank, domain, n_options
-- inputs: questions
-- source: CaptionQA Figure 7; section 10.1
-- columns:
--   bank               varchar  -        sample for the sample set, simulation for simulated questions, ingested for all others
--   domain             varchar  -        domain, or Total
--   n_options          bigint   count    options without the cannot option
--   n_questions        bigint   count    questions with that many options
--   share              double   percent  share of the questions of the domain
--   share_se           double   percent  standard error of share, clustered by image; null for a single image
--   share_low          double   percent  lower end of the 95 % interval, effective images - 1 degrees of freedom, by Korn and Graubard
--   share_high         double   percent  upper end of that interval
--   n_yes_no           bigint   count    of them, yes/no questions by the published rule: they offer no cannot option
--   share_yes_no       double   percent  n_yes_no as a share of the questions of the domain
--   share_yes_no_se    double   percent  standard error of share_yes_no, clustered by image; null for a single image
--   share_yes_no_low   double   percent  lower end of the 95 % interval, effective images - 1 degrees of freedom, by Korn and Graubard
--   share_yes_no_high  double   percent  upper end of that interval
-- checks:
--   n_options >= 0
--   n_questions >= 1
--   share between 0 and 100
--   share_yes_no between 0 and 100
--   share_low between 0 and 100
--   share_high between 0 and 100
--   share_yes_no_low between 0 and 100
--   share_yes_no_high between 0 and 100

with bank_questions as (
    select
        case source when 'captionlake sample set' then 'sample' when 'captionlake simulation' then 'simulation' else 'ingested' end as bank,
        domain, category, subcategory, image_id, question_id, len(options) as n_options, yes_no
    from questions
),

counted as (
    select bank, series.domain, image_id, n_options, count(*) as n_questions, sum(case when yes_no then 1 else 0 end) as n_yes_no
    from bank_questions as q
    cross join lateral (values (q.domain), ('Total')) as series (domain)
    group by bank, series.domain, image_id, n_options
),

images as (
    select bank, domain, image_id, sum(n_questions) as n_all
    from counted
    group by bank, domain, image_id
),

totals as (
    select bank, domain, sum(n_all) as n_all, count(*) as n_images, clusters_of(sum(n_all), sum(n_all * n_all)) as clusters
    from images
    group by bank, domain
),

options as (
    select bank, domain, n_options, sum(n_questions) as n_questions, sum(n_yes_no) as n_yes_no
    from counted
    group by bank, domain, n_options
),

-- An image without a question of so many options counts with none of them.
squares as (
    select
        o.bank, o.domain, o.n_options,
        sum(exact_square(share_part(coalesce(c.n_questions, 0), i.n_all, o.n_questions, t.n_all))) as share_squares,
        sum(exact_square(share_part(coalesce(c.n_yes_no, 0), i.n_all, o.n_yes_no, t.n_all))) as yes_no_squares
    from options as o
    inner join totals as t on t.bank = o.bank and t.domain = o.domain
    inner join images as i on i.bank = o.bank and i.domain = o.domain
    left join counted as c on c.bank = o.bank and c.domain = o.domain and c.n_options = o.n_options and c.image_id = i.image_id
    group by o.bank, o.domain, o.n_options
),

shares as (
    select
        o.bank, o.domain, o.n_options, o.n_questions, o.n_yes_no, t.n_all, t.clusters,
        percent_of(o.n_questions, t.n_all) as share,
        percent_of(o.n_yes_no, t.n_all) as share_yes_no,
        parts_error(q.share_squares, t.n_images) as share_se,
        parts_error(q.yes_no_squares, t.n_images) as share_yes_no_se
    from options as o
    inner join totals as t on t.bank = o.bank and t.domain = o.domain
    inner join squares as q on q.bank = o.bank and q.domain = o.domain and q.n_options = o.n_options
)

select
    cast(s.bank as varchar) as bank,
    cast(s.domain as varchar) as domain,
    cast(s.n_options as bigint) as n_options,
    cast(s.n_questions as bigint) as n_questions,
    cast(s.share as double) as share,
    cast(s.share_se as double) as share_se,
    cast(share_low(s.share, s.share_se, s.n_all, s.clusters) as double) as share_low,
    cast(share_high(s.share, s.share_se, s.n_all, s.clusters) as double) as share_high,
    cast(s.n_yes_no as bigint) as n_yes_no,
    cast(s.share_yes_no as double) as share_yes_no,
    cast(s.share_yes_no_se as double) as share_yes_no_se,
    cast(share_low(s.share_yes_no, s.share_yes_no_se, s.n_all, s.clusters) as double) as share_yes_no_low,
    cast(share_high(s.share_yes_no, s.share_yes_no_se, s.n_all, s.clusters) as double) as share_yes_no_high
from shares as s;

-- audit: shares_add_up: the shares of a domain add up to 100 percent
select bank, domain, sum(share) as total
from question_options
group by bank, domain
having abs(sum(share) - 100) > 0.000001;

-- audit: two_options: a question with one option asks nothing; none means that the options are not at hand
select bank, domain, n_options, n_questions
from question_options
where n_options = 1;

-- audit: interval_holds_estimate: an interval holds its estimate, and that of a share has a width
select bank, domain, n_options, share, share_yes_no
from question_options
where share not between share_low and share_high or share_low = share_high
    or share_yes_no not between share_yes_no_low and share_yes_no_high or share_yes_no_low = share_yes_no_high;
