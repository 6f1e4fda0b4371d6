-- model: difficulty_bins
-- what: how many questions are easy, medium and hard, per domain
-- grain: one row per protocol, reader, prompt, provenance, origin and domain
-- key: protocol, reader, prompt, provenance, origin, domain
-- inputs: question_difficulty, published
-- source: CaptionQA Table 10 and Figure 29
-- columns:
--   protocol           varchar  -        how questions were put, parsed and scored
--   reader             varchar  -        model_id of the model that answered
--   prompt             varchar  -        caption prompt; Simple for printed rows
--   provenance         varchar  -        published, measured or simulated
--   origin             varchar  -        base table that the figures come from: answers or published
--   domain             varchar  -        domain, or Total; printed rows have no Total
--   n_questions        bigint   count    questions
--   n_images           bigint   count    images; null for printed rows
--   n_models           bigint   count    greatest number of captioners of a question; null for printed rows
--   n_easy             bigint   count    questions that 80 percent of the captioners or more have right; null for printed rows
--   n_medium           bigint   count    questions that 50 to 80 percent have right
--   n_hard             bigint   count    questions that less than 50 percent have right
--   easy_share         double   percent  share of the questions that are easy
--   easy_share_se      double   percent  standard error, clustered by image; null for printed rows and for a single image
--   easy_share_low     double   percent  lower end of the 95 % interval, effective images - 1 degrees of freedom, by Korn and Graubard
--   easy_share_high    double   percent  upper end of that interval
--   medium_share       double   percent  share of the questions that are medium
--   medium_share_se    double   percent  standard error, clustered by image; null for printed rows and for a single image
--   medium_share_low   double   percent  lower end of the 95 % interval, effective images - 1 degrees of freedom, by Korn and Graubard
--   medium_share_high  double   percent  upper end of that interval
--   hard_share         double   percent  share of the questions that are hard
--   hard_share_se      double   percent  standard error, clustered by image; null for printed rows and for a single image
--   hard_share_low     double   percent  lower end of the 95 % interval, effective images - 1 degrees of freedom, by Korn and Graubard
--   hard_share_high    double   percent  upper end of that interval
-- checks:
--   origin in answers, published
--   easy_share between 0 and 100
--   medium_share between 0 and 100
--   hard_share between 0 and 100
--   n_questions >= 1
--   easy_share_low between 0 and 100
--   easy_share_high between 0 and 100
--   medium_share_low between 0 and 100
--   medium_share_high between 0 and 100
--   hard_share_low between 0 and 100
--   hard_share_high between 0 and 100

with questions_binned as (
    select protocol, reader, prompt, provenance, domain, image_id, n_models, difficulty
    from question_difficulty
),

printed as (
    select
        domain,
        max(case when metric = 'questions' then value end) as n_questions,
        max(case when metric = 'easy_share' then value end) as easy_share,
        max(case when metric = 'medium_share' then value end) as medium_share,
        max(case when metric = 'hard_share' then value end) as hard_share
    from published
    where benchmark = 'captionqa' and source = 'paper' and item = 'Table 10'
    group by domain
),

per_image as (
    select
        q.protocol, q.reader, q.prompt, q.provenance, series.domain, q.image_id,
        count(*) as n, max(q.n_models) as n_models,
        sum(case when q.difficulty = 'easy' then 1 else 0 end) as n_easy,
        sum(case when q.difficulty = 'medium' then 1 else 0 end) as n_medium,
        sum(case when q.difficulty = 'hard' then 1 else 0 end) as n_hard
    from questions_binned as q
    cross join lateral (values (q.domain), ('Total')) as series (domain)
    group by q.protocol, q.reader, q.prompt, q.provenance, series.domain, q.image_id
),

totals as (
    select
        protocol, reader, prompt, provenance, domain,
        sum(n) as n, count(*) as n_images, clusters_of(sum(n), sum(n * n)) as clusters, max(n_models) as n_models,
        sum(n_easy) as n_easy, sum(n_medium) as n_medium, sum(n_hard) as n_hard
    from per_image
    group by protocol, reader, prompt, provenance, domain
),

squares as (
    select
        p.protocol, p.reader, p.prompt, p.provenance, p.domain,
        sum(exact_square(surplus(p.n_easy, p.n, t.n_easy, t.n))) as easy_squares,
        sum(exact_square(surplus(p.n_medium, p.n, t.n_medium, t.n))) as medium_squares,
        sum(exact_square(surplus(p.n_hard, p.n, t.n_hard, t.n))) as hard_squares
    from per_image as p
    inner join totals as t
        on t.protocol = p.protocol and t.reader = p.reader and t.prompt = p.prompt and t.provenance = p.provenance and t.domain = p.domain
    group by p.protocol, p.reader, p.prompt, p.provenance, p.domain
),

both_origins as (
    select
        t.protocol, t.reader, t.prompt, t.provenance, 'answers' as origin, t.domain, t.n as n_questions, t.n_images, t.clusters, t.n_models,
        t.n_easy, t.n_medium, t.n_hard,
        percent_of(t.n_easy, t.n) as easy_share, percent_of(t.n_medium, t.n) as medium_share, percent_of(t.n_hard, t.n) as hard_share,
        cluster_error(s.easy_squares, t.n_images, t.n) as easy_share_se,
        cluster_error(s.medium_squares, t.n_images, t.n) as medium_share_se,
        cluster_error(s.hard_squares, t.n_images, t.n) as hard_share_se
    from totals as t
    inner join squares as s
        on s.protocol = t.protocol and s.reader = t.reader and s.prompt = t.prompt and s.provenance = t.provenance and s.domain = t.domain
    union all
    select
        'captionqa/upstream' as protocol, paper_reader() as reader, 'Simple' as prompt, 'published' as provenance, 'published' as origin,
        domain, n_questions, null as n_images, null as clusters, null as n_models, null as n_easy, null as n_medium, null as n_hard,
        easy_share, medium_share, hard_share, null as easy_share_se, null as medium_share_se, null as hard_share_se
    from printed
)

select
    cast(b.protocol as varchar) as protocol,
    cast(b.reader as varchar) as reader,
    cast(b.prompt as varchar) as prompt,
    cast(b.provenance as varchar) as provenance,
    cast(b.origin as varchar) as origin,
    cast(b.domain as varchar) as domain,
    cast(b.n_questions as bigint) as n_questions,
    cast(b.n_images as bigint) as n_images,
    cast(b.n_models as bigint) as n_models,
    cast(b.n_easy as bigint) as n_easy,
    cast(b.n_medium as bigint) as n_medium,
    cast(b.n_hard as bigint) as n_hard,
    cast(b.easy_share as double) as easy_share,
    cast(b.easy_share_se as double) as easy_share_se,
    cast(share_low(b.easy_share, b.easy_share_se, b.n_questions, b.clusters) as double) as easy_share_low,
    cast(share_high(b.easy_share, b.easy_share_se, b.n_questions, b.clusters) as double) as easy_share_high,
    cast(b.medium_share as double) as medium_share,
    cast(b.medium_share_se as double) as medium_share_se,
    cast(share_low(b.medium_share, b.medium_share_se, b.n_questions, b.clusters) as double) as medium_share_low,
    cast(share_high(b.medium_share, b.medium_share_se, b.n_questions, b.clusters) as double) as medium_share_high,
    cast(b.hard_share as double) as hard_share,
    cast(b.hard_share_se as double) as hard_share_se,
    cast(share_low(b.hard_share, b.hard_share_se, b.n_questions, b.clusters) as double) as hard_share_low,
    cast(share_high(b.hard_share, b.hard_share_se, b.n_questions, b.clusters) as double) as hard_share_high
from both_origins as b;

-- audit: shares_add_up: the three shares add up to 100 percent; printed ones are the matter of published_audit
select origin, prompt, domain, easy_share, medium_share, hard_share
from difficulty_bins
where origin = 'answers' and abs(easy_share + medium_share + hard_share - 100) > 0.000001;

-- audit: bins_add_up: a question is in one bin
select prompt, domain, n_questions, n_easy, n_medium, n_hard
from difficulty_bins
where n_questions <> n_easy + n_medium + n_hard;

-- audit: interval_holds_estimate: an interval holds its estimate, and that of a share has a width
select origin, prompt, domain, easy_share, medium_share, hard_share
from difficulty_bins
where easy_share not between easy_share_low and easy_share_high or easy_share_low = easy_share_high
    or medium_share not between medium_share_low and medium_share_high or medium_share_low = medium_share_high
    or hard_share not between hard_share_low and hard_share_high or hard_share_low = hard_share_high;
