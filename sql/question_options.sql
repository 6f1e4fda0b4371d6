-- model: question_options
-- what: how many options questions have, and how many are yes/no questions
-- grain: one row per bank, domain and number of options
-- key: [bank, domain, n_options]
-- inputs: [questions]
-- source: CaptionQA Figure 7; section 10.1
-- columns:
--   bank: [varchar, "sample for the sample set, simulation for simulated questions, ingested for all others"]
--   domain: [varchar, "domain, or Total"]
--   n_options: [bigint, count, 0.., options without the cannot option]
--   n_questions: [bigint, count, 1.., questions with that many options]
--   share: [double, percent, 0..100, share of the questions of the domain]
--   n_yes_no: [bigint, count, "of them, yes/no questions by the published rule: they offer no cannot option"]
--   share_yes_no: [double, percent, 0..100, n_yes_no as a share of the questions of the domain]
-- intervals:
--   share, share_yes_no: share(n_all, clusters)

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
    s.bank, s.domain, s.n_options, s.n_questions, s.share, s.share_se, s.n_yes_no, s.share_yes_no, s.share_yes_no_se, s.n_all, s.clusters
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
