-- what: the number of options of the questions, and the number of yes/no questions
-- key: [bank, domain, n_options]
-- source: "CaptionQA Figure 7; section 10.1. No provenance: the bank tells simulated questions from others"
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

with options as (
    select
        bank_of(q.source) as bank, series.domain, q.image_id, len(q.options) as n_options, count(*) as n,
        count(*) filter (where q.yes_no) as n_yes_no
    from questions as q
    cross join lateral (values (q.domain), ('Total')) as series (domain)
    group by bank_of(q.source), series.domain, q.image_id, len(q.options)
),

images as (
    select bank, domain, image_id, total(n) as n_image
    from options
    group by bank, domain, image_id
),

banks as (
    select bank, domain, total(n_image) as n_all, sum(n_image * n_image) as squares, count(*) as n_images
    from images
    group by bank, domain
)

-- An image without a question of so many options adds nothing to the sums of their numbers, but adds to the sums of all
-- questions.
select
    bank, domain, n_options, sum(n) as n_questions,
    percent_of(sum(n), n_all) as share,
    ratio_error_of(sum(n), n_all, sum(n * n), sum(n * n_image), squares, n_images) as share_se,
    sum(n_yes_no) as n_yes_no,
    percent_of(sum(n_yes_no), n_all) as share_yes_no,
    ratio_error_of(sum(n_yes_no), n_all, sum(n_yes_no * n_yes_no), sum(n_yes_no * n_image), squares, n_images)
        as share_yes_no_se,
    n_all, clusters_of(n_all, squares) as clusters
from options
inner join images using (bank, domain, image_id)
inner join banks using (bank, domain)
group by bank, domain, n_options, n_all, squares, n_images;

-- audit: shares_add_up: the shares of a domain add up to 100 percent
select bank, domain, sum(share) as total
from question_options
group by bank, domain
having abs(sum(share) - 100) > 0.000001;

-- audit: two_options: a question with one option asks nothing; none means that the lake does not have the options
select bank, domain, n_options, n_questions
from question_options
where n_options = 1;
