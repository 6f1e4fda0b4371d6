-- model: captionqa_image_sums
-- what: "CaptionQA answers added up by image and category: what every standard error and every resampling starts from"
-- grain: one row per protocol, reader, evidence, model, prompt, provenance, domain, category and image
-- key: [protocol, reader, evidence, model_id, prompt, provenance, domain, category, image_id]
-- inputs: [answers, stale_answers]
-- source: a step on the way to CaptionQA Tables 3, 4, 9 and 11 to 26 and Figures 13 to 23
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the model that answered]
--   evidence: [varchar, [caption, image, none]]
--   model_id: [varchar, captioner; under evidence image the model that looked; empty under evidence none]
--   prompt: [varchar, caption prompt; empty unless evidence is caption]
--   provenance: [varchar, [published, measured, simulated]]
--   domain: [varchar, domain]
--   category: [varchar, first level of the domain's taxonomy; empty when the bank names none]
--   image_id: [varchar, "item that the questions are about: the cluster of standard errors"]
--   n_answers: [bigint, count, 1.., "answers, repetitions included"]
--   n_questions: [bigint, count, "questions answered: answers of repetition 0, of which a question has one"]
--   n_repeats: [bigint, count, 1.., "highest number of a repetition, plus one"]
--   n_correct: [bigint, count, answers that chose the key]
--   n_incorrect: [bigint, count, answers that chose another option]
--   n_cannot: [bigint, count, answers that chose the cannot option]
--   n_unparsed: [bigint, count, replies without a readable choice; they score 0]
--   n_failed: [bigint, count, calls that gave no reply; they score 0]
--   n_offered: [bigint, count, answers to questions that offered the cannot option]
--   score_parts: [bigint, parts, 0.., "sum of the scores in parts of 1/232792560, so that it is whole for up to 20 options"]

with graded as (
    select
        protocol, reader, evidence, captioner as model_id, prompt, provenance, domain, category, image_id,
        repeat, outcome, offers_cannot, score_parts(score) as parts
    from counted_answers()
),

summed as (
    select
        protocol, reader, evidence, model_id, prompt, provenance, domain, category, image_id,
        count(*) as n_answers,
        sum(case when repeat = 0 then 1 else 0 end) as n_questions,
        max(repeat) + 1 as n_repeats,
        sum(case when outcome = 'correct' then 1 else 0 end) as n_correct,
        sum(case when outcome = 'incorrect' then 1 else 0 end) as n_incorrect,
        sum(case when outcome = 'cannot' then 1 else 0 end) as n_cannot,
        sum(case when outcome = 'unparsed' then 1 else 0 end) as n_unparsed,
        sum(case when outcome = 'failed' then 1 else 0 end) as n_failed,
        sum(case when offers_cannot then 1 else 0 end) as n_offered,
        sum(parts) as score_parts
    from graded
    group by protocol, reader, evidence, model_id, prompt, provenance, domain, category, image_id
)

select
    protocol, reader, evidence, model_id, prompt, provenance, domain, category, image_id, n_answers, n_questions, n_repeats, n_correct,
    n_incorrect, n_cannot, n_unparsed, n_failed, n_offered, score_parts
from summed;

-- audit: nothing_lost: every answer of the lake is in exactly one sum
select s.n_answers, a.n_answers as n_answers_in_lake
from (select sum(n_answers) as n_answers from captionqa_image_sums) as s
cross join (select count(*) as n_answers from counted_answers()) as a
where coalesce(s.n_answers, 0) <> a.n_answers;

-- audit: one_domain: an image belongs to one domain, or its questions would be counted in two
select image_id, count(distinct domain) as domains
from captionqa_image_sums
group by image_id
having count(distinct domain) > 1;

-- audit: repetitions_start_at_zero: a question that has a repetition but not the first would not be counted
select protocol, reader, evidence, model_id, prompt, domain, category, image_id, n_answers, n_questions, n_repeats
from captionqa_image_sums
where n_answers > n_questions * n_repeats;
