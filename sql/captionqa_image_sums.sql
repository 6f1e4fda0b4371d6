-- model: captionqa_image_sums
-- what: CaptionQA answers added up by image and category: what every standard error and every resampling starts from
-- grain: one row per protocol, reader, evidence, model, prompt, provenance, domain, category and image
-- key: protocol, reader, evidence, model_id, prompt, provenance, domain, category, image_id
-- inputs: answers, stale_answers
-- source: a step on the way to CaptionQA Tables 3, 4, 9 and 11 to 26 and Figures 13 to 23
-- columns:
--   protocol     varchar  -      how questions were put, parsed and scored
--   reader       varchar  -      model_id of the model that answered
--   evidence     varchar  -      caption, image or none
--   model_id     varchar  -      captioner; under evidence image the model that looked; empty under evidence none
--   prompt       varchar  -      caption prompt; empty unless evidence is caption
--   provenance   varchar  -      published, measured or simulated
--   domain       varchar  -      domain
--   category     varchar  -      first level of the domain's taxonomy; empty when the bank names none
--   image_id     varchar  -      item that the questions are about: the cluster of standard errors
--   n_answers    bigint   count  answers, repetitions included
--   n_questions  bigint   count  questions answered: answers of repetition 0, of which a question has one
--   n_repeats    bigint   count  highest number of a repetition, plus one
--   n_correct    bigint   count  answers that chose the key
--   n_incorrect  bigint   count  answers that chose another option
--   n_cannot     bigint   count  answers that chose the cannot option
--   n_unparsed   bigint   count  replies without a readable choice; they score 0
--   n_failed     bigint   count  calls that gave no reply; they score 0
--   n_offered    bigint   count  answers to questions that offered the cannot option
--   score_parts  bigint   parts  sum of the scores in parts of 1/232792560, so that it is whole for up to 20 options
-- checks:
--   evidence in caption, image, none
--   provenance in published, measured, simulated
--   n_answers >= 1
--   n_repeats >= 1
--   score_parts >= 0

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
    cast(protocol as varchar) as protocol,
    cast(reader as varchar) as reader,
    cast(evidence as varchar) as evidence,
    cast(model_id as varchar) as model_id,
    cast(prompt as varchar) as prompt,
    cast(provenance as varchar) as provenance,
    cast(domain as varchar) as domain,
    cast(category as varchar) as category,
    cast(image_id as varchar) as image_id,
    cast(n_answers as bigint) as n_answers,
    cast(n_questions as bigint) as n_questions,
    cast(n_repeats as bigint) as n_repeats,
    cast(n_correct as bigint) as n_correct,
    cast(n_incorrect as bigint) as n_incorrect,
    cast(n_cannot as bigint) as n_cannot,
    cast(n_unparsed as bigint) as n_unparsed,
    cast(n_failed as bigint) as n_failed,
    cast(n_offered as bigint) as n_offered,
    cast(score_parts as bigint) as score_parts
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
