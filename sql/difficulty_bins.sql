-- model: difficulty_bins
-- what: how many questions are easy, medium and hard, per domain
-- grain: one row per protocol, reader, prompt, provenance, origin and domain
-- key: [protocol, reader, prompt, provenance, origin, domain]
-- inputs: [question_difficulty, published]
-- source: CaptionQA Table 10 and Figure 29
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the model that answered]
--   prompt: [varchar, caption prompt; Simple for printed rows]
--   provenance: [varchar, "published, measured or simulated"]
--   origin: [varchar, [answers, published], "base table that the figures come from: answers or published"]
--   domain: [varchar, "domain, or Total; printed rows have no Total"]
--   n_questions: [bigint, count, 1.., questions]
--   n_images: [bigint, count, images; null for printed rows]
--   n_models: [bigint, count, greatest number of captioners of a question; null for printed rows]
--   n_easy: [bigint, count, questions that 80 percent of the captioners or more have right; null for printed rows]
--   n_medium: [bigint, count, questions that 50 to 80 percent have right]
--   n_hard: [bigint, count, questions that less than 50 percent have right]
--   easy_share: [double, percent, 0..100, share of the questions that are easy]
--   medium_share: [double, percent, 0..100, share of the questions that are medium]
--   hard_share: [double, percent, 0..100, share of the questions that are hard]
-- intervals:
--   easy_share, medium_share, hard_share: share(n_questions, clusters)

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
    b.protocol, b.reader, b.prompt, b.provenance, b.origin, b.domain, b.n_questions, b.n_images, b.n_models, b.n_easy, b.n_medium,
    b.n_hard, b.easy_share, b.easy_share_se, b.medium_share, b.medium_share_se, b.hard_share, b.hard_share_se, b.clusters
from both_origins as b;

-- audit: shares_add_up: the three shares add up to 100 percent; printed ones are the matter of published_audit
select origin, prompt, domain, easy_share, medium_share, hard_share
from difficulty_bins
where origin = 'answers' and abs(easy_share + medium_share + hard_share - 100) > 0.000001;

-- audit: bins_add_up: a question is in one bin
select prompt, domain, n_questions, n_easy, n_medium, n_hard
from difficulty_bins
where n_questions <> n_easy + n_medium + n_hard;
