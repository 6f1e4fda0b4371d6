-- model: captionqa_categories
-- what: CaptionQA scores by taxonomy category, computed from answers and as printed on the public leaderboard
-- grain: one row per protocol, reader, evidence, model, prompt, domain, category, provenance and origin
-- key: [protocol, reader, evidence, model_id, prompt, domain, category, provenance, origin]
-- inputs: [captionqa_image_sums, published, models, answers, stale_answers]
-- source: the CaptionQA public leaderboard, scores by category
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored; captionqa/upstream for printed rows"]
--   reader: [varchar, model_id of the model that answered; the paper's reader (section 3.5) for printed rows]
--   evidence: [varchar, [caption, image, none]]
--   model_id: [varchar, captioner; under evidence image the model that looked; empty under evidence none]
--   prompt: [varchar, caption prompt; empty unless evidence is caption]
--   domain: [varchar, domain]
--   category: [varchar, first level of the domain's taxonomy; empty when the bank names none]
--   provenance: [varchar, [published, measured, simulated]]
--   origin: [varchar, [answers, published], "base table that the row comes from: answers or published"]
--   source_item: [varchar, page of the leaderboard; null when computed from answers]
--   model: [varchar, name of the model to show to people]
--   size: [varchar, parameters as printed; empty when undisclosed; null when the registry does not know the model]
--   model_type: [varchar, "open, proprietary, human, metric or stub; null when the registry does not know the model"]
--   n_questions: [bigint, count, "questions answered; null for printed rows, as all counts"]
--   n_images: [bigint, count, items that the questions are about]
--   n_answers: [bigint, count, 1.., "answers, repetitions included: the denominator of score, accuracy and cannot_rate"]
--   n_correct: [bigint, count, answers that chose the key]
--   n_cannot: [bigint, count, answers that chose the cannot option]
--   n_unparsed: [bigint, count, replies without a readable choice; they score 0]
--   n_failed: [bigint, count, calls that gave no reply; they score 0]
--   score: [double, percent, not null, 0..105, mean score of all answers]
--   accuracy: [double, percent, 0..100, share of all answers that are correct; null for printed rows]
--   cannot_rate: [double, percent, 0..100, "share of all answers that chose the cannot option: the rate of Table 9; null for printed rows"]
--   cannot_rate_offered: [double, percent, 0..100, "share of the answers to questions that offer the cannot option, yes/no questions left
--       out; null for printed rows"]
--   effective_images: [double, count, "images that would tell as much if all had as many answers: the square of the sum of their numbers
--       over the sum of the squares; null for printed rows"]
--   effective_images_offered: [double, count, the same of answers to questions that offer the cannot option; null also where none does]
-- intervals:
--   score, accuracy, cannot_rate: share(n_questions, effective_images)
--   cannot_rate_offered: share(n_questions_offered, effective_images_offered); effective_images_offered - 1 degrees of freedom

with per_image as (
    select
        protocol, reader, evidence, model_id, prompt, domain, category, provenance, image_id,
        sum(n_questions) as n_questions, sum(n_answers) as n_answers, sum(n_correct) as n_correct,
        sum(n_incorrect) as n_incorrect, sum(n_cannot) as n_cannot, sum(n_unparsed) as n_unparsed, sum(n_failed) as n_failed,
        sum(n_offered) as n_offered, sum(score_parts) as score_parts
    from captionqa_image_sums
    group by protocol, reader, evidence, model_id, prompt, domain, category, provenance, image_id
),

printed as (
    select item, model, coalesce(nullif(model_id, ''), model) as model_id, prompt, domain, category, value
    from published
    where benchmark = 'captionqa' and source = 'leaderboard' and metric = 'score' and category <> ''
),

registry as (
    select model_id, name, size, model_type
    from models
),

totals as (
    select
        protocol, reader, evidence, model_id, prompt, domain, category, provenance,
        sum(n_questions) as n_questions, count(*) as n_images,
        clusters_of(sum(n_answers), sum(n_answers * n_answers)) as effective_images,
        clusters_of(sum(n_offered), sum(n_offered * n_offered)) as effective_images_offered,
        sum(case when n_offered > 0 then 1 else 0 end) as n_images_offered,
        sum(n_answers) as n_answers, sum(n_correct) as n_correct, sum(n_incorrect) as n_incorrect, sum(n_cannot) as n_cannot,
        sum(n_unparsed) as n_unparsed, sum(n_failed) as n_failed, sum(n_offered) as n_offered,
        score_of_parts(sum(score_parts)) as total_score
    from per_image
    group by protocol, reader, evidence, model_id, prompt, domain, category, provenance
),

squares as (
    select
        p.protocol, p.reader, p.evidence, p.model_id, p.prompt, p.domain, p.category, p.provenance,
        sum(exact_square(surplus(score_of_parts(p.score_parts), p.n_answers, t.total_score, t.n_answers))) as score_squares,
        sum(exact_square(surplus(p.n_correct, p.n_answers, t.n_correct, t.n_answers))) as accuracy_squares,
        sum(exact_square(surplus(p.n_cannot, p.n_answers, t.n_cannot, t.n_answers))) as cannot_squares,
        sum(exact_square(surplus(p.n_cannot, p.n_offered, t.n_cannot, t.n_offered))) as offered_squares
    from per_image as p
    inner join totals as t
        on t.protocol = p.protocol and t.reader = p.reader and t.evidence = p.evidence and t.model_id = p.model_id
        and t.prompt = p.prompt and t.domain = p.domain and t.category = p.category and t.provenance = p.provenance
    group by p.protocol, p.reader, p.evidence, p.model_id, p.prompt, p.domain, p.category, p.provenance
),

from_answers as (
    select
        t.protocol, t.reader, t.evidence, t.model_id, t.prompt, t.domain, t.category, t.provenance,
        t.n_questions, t.n_images, t.effective_images, t.effective_images_offered, t.n_answers, t.n_correct, t.n_incorrect, t.n_cannot,
            t.n_unparsed,
        t.n_failed, t.n_offered,
        percent_of(t.total_score, t.n_answers) as score,
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
        and s.prompt = t.prompt and s.domain = t.domain and s.category = t.category and s.provenance = t.provenance
),

both_origins as (
    select
        protocol, reader, evidence, model_id, prompt, domain, category, provenance,
        'answers' as origin,
        null as source_item,
        null as printed_model,
        n_questions, n_images, n_answers, n_correct, n_cannot, n_unparsed, n_failed,
        score,
        accuracy,
        cannot_rate,
        cannot_rate_offered,
        score_se, accuracy_se, cannot_rate_se, cannot_rate_offered_se, effective_images, effective_images_offered,
        ratio_of(n_offered * n_questions, n_answers) as n_questions_offered
    from from_answers
    union all
    select
        'captionqa/upstream' as protocol, paper_reader() as reader, 'caption' as evidence, model_id, prompt, domain, category,
        'published' as provenance,
        'published' as origin,
        item as source_item,
        model as printed_model,
        null as n_questions, null as n_images, null as n_answers, null as n_correct, null as n_cannot,
        null as n_unparsed, null as n_failed,
        value as score,
        null as accuracy,
        null as cannot_rate,
        null as cannot_rate_offered,
        null as score_se, null as accuracy_se, null as cannot_rate_se, null as cannot_rate_offered_se, null as effective_images,
            null as effective_images_offered,
        null as n_questions_offered
    from printed
)

select
    b.protocol, b.reader, b.evidence, b.model_id, b.prompt, b.domain, b.category, b.provenance, b.origin, b.source_item,
    coalesce(r.name, b.printed_model, b.model_id) as model,
    r.size, r.model_type, b.n_questions, b.n_images, b.n_answers, b.n_correct, b.n_cannot, b.n_unparsed, b.n_failed, b.score, b.accuracy,
    b.cannot_rate, b.cannot_rate_offered, b.score_se, b.accuracy_se, b.cannot_rate_se, b.cannot_rate_offered_se, b.effective_images,
    b.effective_images_offered, b.n_questions_offered
from both_origins as b
left join registry as r on r.model_id = b.model_id;

-- audit: score_not_below_accuracy: the cannot option can only add to the share of correct answers
select origin, model_id, prompt, domain, category, score, accuracy
from captionqa_categories
where score < accuracy - 0.000001;

-- audit: no_answer_lost: the answers of all categories of a domain are the answers of the lake
select d.protocol, d.reader, d.model_id, d.prompt, d.domain, d.n_answers, c.n_answers as n_answers_in_categories
from (
    select protocol, reader, evidence, captioner as model_id, prompt, domain, provenance, count(*) as n_answers
    from counted_answers()
    group by protocol, reader, evidence, captioner, prompt, domain, provenance
) as d
inner join (
    select protocol, reader, evidence, model_id, prompt, domain, provenance, sum(n_answers) as n_answers
    from captionqa_categories
    where origin = 'answers'
    group by protocol, reader, evidence, model_id, prompt, domain, provenance
) as c
    on c.protocol = d.protocol and c.reader = d.reader and c.evidence = d.evidence and c.model_id = d.model_id
    and c.prompt = d.prompt and c.domain = d.domain and c.provenance = d.provenance
where d.n_answers <> c.n_answers;
