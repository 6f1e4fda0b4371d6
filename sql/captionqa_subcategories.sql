-- model: captionqa_subcategories
-- what: "scores of every model by second taxonomy level: the axes of the radar charts"
-- grain: one row per protocol, reader, evidence, model, prompt, provenance, domain, category and subcategory
-- key: [protocol, reader, evidence, model_id, prompt, provenance, domain, category, subcategory]
-- inputs: [answers, stale_answers, models]
-- source: CaptionQA Figures 24 to 28; nothing of them is printed as numbers
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the model that answered]
--   evidence: [varchar, [caption, image, none]]
--   model_id: [varchar, captioner; under evidence image the model that looked; empty under evidence none]
--   prompt: [varchar, caption prompt; empty unless evidence is caption]
--   provenance: [varchar, "published, measured or simulated"]
--   domain: [varchar, domain]
--   category: [varchar, first taxonomy level]
--   subcategory: [varchar, second taxonomy level; questions without one are left out]
--   model: [varchar, name of the model to show to people]
--   n_answers: [bigint, count, 1.., answers]
--   n_images: [bigint, count, images that they are about]
--   score: [double, percent, 0..105, mean score]
--   accuracy: [double, percent, 0..100, share of correct answers]
--   cannot_rate_offered: [double, percent, 0..100, share of the answers to questions that offer the cannot option which chose it; null when
--       none was offered]
--   cannot_rate: [double, percent, 0..100, share of all answers that chose the cannot option]
-- intervals:
--   score, accuracy, cannot_rate: share(n_questions, clusters)
--   cannot_rate_offered: share(n_questions_offered, clusters_offered)

with graded as (
    select
        protocol, reader, evidence, captioner as model_id, prompt, provenance, domain, category, subcategory, image_id,
        repeat, outcome, offers_cannot, score_parts(score) as parts
    from counted_answers()
    where subcategory <> ''
),

registry as (
    select model_id, name
    from models
),

per_image as (
    select
        protocol, reader, evidence, model_id, prompt, provenance, domain, category, subcategory, image_id,
        count(*) as n_answers,
        sum(case when repeat = 0 then 1 else 0 end) as n_questions,
        sum(case when outcome = 'correct' then 1 else 0 end) as n_correct,
        sum(case when outcome = 'cannot' then 1 else 0 end) as n_cannot,
        sum(case when offers_cannot then 1 else 0 end) as n_offered,
        score_of_parts(sum(parts)) as score
    from graded
    group by protocol, reader, evidence, model_id, prompt, provenance, domain, category, subcategory, image_id
),

totals as (
    select
        protocol, reader, evidence, model_id, prompt, provenance, domain, category, subcategory,
        count(*) as n_images,
        sum(case when n_offered > 0 then 1 else 0 end) as n_images_offered,
        clusters_of(sum(n_answers), sum(n_answers * n_answers)) as clusters, clusters_of(sum(n_offered), sum(n_offered
            * n_offered)) as clusters_offered,
        sum(n_questions) as n_questions, sum(n_answers) as n_answers, sum(n_correct) as n_correct, sum(n_cannot) as n_cannot,
            sum(n_offered) as n_offered,
        cast(sum(exact_mean(score)) as double) as score
    from per_image
    group by protocol, reader, evidence, model_id, prompt, provenance, domain, category, subcategory
),

squares as (
    select
        p.protocol, p.reader, p.evidence, p.model_id, p.prompt, p.provenance, p.domain, p.category, p.subcategory,
        sum(exact_square(surplus(p.score, p.n_answers, t.score, t.n_answers))) as score_squares,
        sum(exact_square(surplus(p.n_correct, p.n_answers, t.n_correct, t.n_answers))) as accuracy_squares,
        sum(exact_square(surplus(p.n_cannot, p.n_answers, t.n_cannot, t.n_answers))) as cannot_squares,
        sum(exact_square(surplus(p.n_cannot, p.n_offered, t.n_cannot, t.n_offered))) as offered_squares
    from per_image as p
    inner join totals as t
        on t.protocol = p.protocol and t.reader = p.reader and t.evidence = p.evidence and t.model_id = p.model_id
        and t.prompt = p.prompt and t.provenance = p.provenance and t.domain = p.domain and t.category = p.category
            and t.subcategory = p.subcategory
    group by p.protocol, p.reader, p.evidence, p.model_id, p.prompt, p.provenance, p.domain, p.category, p.subcategory
),

measured as (
    select
        t.protocol, t.reader, t.evidence, t.model_id, t.prompt, t.provenance, t.domain, t.category, t.subcategory,
        t.n_answers, t.n_images, t.n_questions, ratio_of(t.n_offered * t.n_questions, t.n_answers) as n_questions_offered, t.clusters,
            t.clusters_offered,
        percent_of(t.score, t.n_answers) as score,
        percent_of(t.n_correct, t.n_answers) as accuracy,
        percent_of(t.n_cannot, t.n_answers) as cannot_rate,
        percent_of(t.n_cannot, t.n_offered) as cannot_rate_offered,
        cluster_error(s.score_squares, t.n_images, t.n_answers) as score_se,
        cluster_error(s.accuracy_squares, t.n_images, t.n_answers) as accuracy_se,
        cluster_error(s.cannot_squares, t.n_images, t.n_answers) as cannot_rate_se,
        cluster_error(s.offered_squares, t.n_images_offered, t.n_offered) as cannot_rate_offered_se
    from totals as t
    inner join squares as s
        on s.protocol = t.protocol and s.reader = t.reader and s.evidence = t.evidence and s.model_id = t.model_id
        and s.prompt = t.prompt and s.provenance = t.provenance and s.domain = t.domain and s.category = t.category
            and s.subcategory = t.subcategory
)

select
    m.protocol, m.reader, m.evidence, m.model_id, m.prompt, m.provenance, m.domain, m.category, m.subcategory,
    coalesce(r.name, m.model_id) as model,
    m.n_answers, m.n_images, m.score, m.score_se, m.accuracy, m.accuracy_se, m.cannot_rate_offered, m.cannot_rate_offered_se,
    m.cannot_rate, m.cannot_rate_se, m.n_questions, m.clusters, m.n_questions_offered, m.clusters_offered
from measured as m
left join registry as r on r.model_id = m.model_id;

-- audit: score_not_below_accuracy: the cannot option can only add to the share of correct answers
select model_id, prompt, domain, category, subcategory, score, accuracy
from captionqa_subcategories
where score < accuracy - 0.000001;

-- audit: nothing_lost: every answer to a question with a subcategory is counted once
select s.n_answers, a.n_answers as n_answers_in_lake
from (select sum(n_answers) as n_answers from captionqa_subcategories) as s
cross join (select count(*) as n_answers from counted_answers() where subcategory <> '') as a
where coalesce(s.n_answers, 0) <> a.n_answers;
