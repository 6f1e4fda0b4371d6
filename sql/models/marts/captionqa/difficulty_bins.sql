-- what: the number of easy, medium and hard questions, per domain; at least five captioners must have answered the same
--     questions
-- key: [protocol, reader, prompt, provenance, origin, domain]
-- source: CaptionQA Table 10 and Figure 29
-- columns:
--   protocol, reader:
--   prompt: [varchar, caption prompt; Simple for printed rows]
--   provenance, origin:
--   domain: [varchar, "domain, or Total; printed rows have no Total"]
--   n_questions: [bigint, count, 1.., questions that the same captioners were answered for]
--   n_left_out: [bigint, count, 0.., questions of the domain that fewer or other captioners were answered for; null for
--       printed rows]
--   n_images: [bigint, count, images; null for printed rows]
--   n_models: [bigint, count, 5.., "captioners of each question, in Total the least number of a domain; null for
--       printed rows"]
--   n_easy: [bigint, count, questions that 80 percent of the captioners or more have right; null for printed rows]
--   n_medium: [bigint, count, questions that 50 to 80 percent have right]
--   n_hard: [bigint, count, questions that less than 50 percent have right]
--   easy_share: [double, percent, 0..100, share of the questions that are easy]
--   medium_share: [double, percent, 0..100, share of the questions that are medium]
--   hard_share: [double, percent, 0..100, share of the questions that are hard]
--   note:
-- intervals:
--   easy_share, medium_share, hard_share: share(n_questions, clusters)

-- In each domain, the set of captioners that has answers to most questions is used, because the difficulty of a
-- question depends on the captioners.
with groups as (
    select *
    from (
        select key_of(protocol, reader, domain, prompt, provenance) as asked_id, captioner_set,
            max(n_models) as n_models,
        count(*) as n
        from question_difficulty
        group by asked_id, captioner_set
        having max(n_models) >= 5
    ) as g
    qualify row_number() over (partition by asked_id order by n desc, n_models desc, captioner_set) = 1
),

images as (
    select
        key_of(protocol, reader, series.domain, prompt, provenance) as shown_id, protocol, reader, prompt, provenance,
        series.domain, image_id, count(*) as n, min(g.n_models) as n_models,
        count(*) filter (where difficulty = 'easy') as n_easy,
        count(*) filter (where difficulty = 'medium') as n_medium,
        count(*) filter (where difficulty = 'hard') as n_hard
    from question_difficulty as q
    inner join groups as g
        on g.asked_id = key_of(protocol, reader, q.domain, prompt, provenance) and g.captioner_set = q.captioner_set
    cross join lateral (values (q.domain), ('Total')) as series (domain)
    group by all
),

left_out as (
    select key_of(protocol, reader, series.domain, prompt, provenance) as shown_id, count(*) as n_all
    from question_difficulty as q
    cross join lateral (values (q.domain), ('Total')) as series (domain)
    group by shown_id
)

select
    i.protocol, i.reader, i.prompt, i.provenance, 'answers' as origin, i.domain, sum(n) as n_questions,
    max(n_all) - sum(n) as n_left_out,
    count(*) as n_images, min(n_models) as n_models, sum(n_easy) as n_easy, sum(n_medium) as n_medium,
    sum(n_hard) as n_hard, percent_of(sum(n_easy), sum(n)) as easy_share, ratio_error(n_easy, n) as easy_share_se,
    percent_of(sum(n_medium), sum(n)) as medium_share, ratio_error(n_medium, n) as medium_share_se,
    percent_of(sum(n_hard), sum(n)) as hard_share, ratio_error(n_hard, n) as hard_share_se,
    max(unread) as note, effective_clusters(n) as clusters
from images as i
inner join left_out using (shown_id)
left join unread_answers as u
    on (u.protocol, u.reader, u.provenance, u.prompt) = (i.protocol, i.reader, i.provenance, i.prompt)
    and u.domain = case i.domain when 'Total' then '' else i.domain end
group by i.protocol, i.reader, i.prompt, i.provenance, i.domain
union all by name
select
    paper_protocol() as protocol, paper_reader() as reader, paper_prompt() as prompt, 'published' as provenance,
    'published' as origin, domain,
    printed_value(metric, 'questions', value) as n_questions, printed_value(metric, 'easy_share', value) as easy_share,
    printed_value(metric, 'medium_share', value) as medium_share,
    printed_value(metric, 'hard_share', value) as hard_share
from published
where benchmark = 'captionqa' and source = 'paper' and item = 'Table 10'
group by domain;

-- audit: shares_add_up: the three shares add up to 100 percent; printed ones are the matter of published_audit
select origin, prompt, domain, easy_share, medium_share, hard_share
from difficulty_bins
where origin = 'answers' and abs(easy_share + medium_share + hard_share - 100) > 0.000001;

-- audit: bins_add_up: a question is in one bin
select prompt, domain, n_questions, n_easy, n_medium, n_hard
from difficulty_bins
where n_questions <> n_easy + n_medium + n_hard;

-- audit: no_answer_lost: first repetitions of QA-on-caption equal the sums by image, which equal the answers
select q.n_answers, i.n_answers as n_answers_of_images
from (select sum(n_models) as n_answers from question_difficulty) as q
cross join (
    select sum(n_answers) as n_answers from captionqa_images where level = 'domain' and evidence = 'caption'
        and repeat = 0
) as i
where coalesce(q.n_answers, 0) <> coalesce(i.n_answers, 0);
