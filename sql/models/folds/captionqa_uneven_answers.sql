-- what: CaptionQA answers, added up by question, about images for which some conditions have other questions than
--     others
-- key: [protocol, reader, evidence, captioner, prompt, provenance, question_id]
-- source: a step towards differences, gaps and gains of runs that answered only some of the questions. For such images
--     answers are paired by question, and for all other images by image
-- fold: answers
-- columns:
--   protocol, reader, evidence, captioner, prompt, provenance, n_answers, n_correct, n_cannot, n_offered, score_parts:
--   condition_id, question_id:
--   domain: [varchar, domain]
--   category: [varchar, first level of the domain's taxonomy; empty when the bank names none]
--   image_id: [varchar, item that the question is about]

with uneven as (
    select i.protocol, i.provenance, i.image_id
    from merged_captionqa_images() as i
    left join partial_repetitions as p on p.condition_id = i.condition_id and p.domain = i.domain
        and p.repeat = i.repeat
    where i.level = 'domain' and i.evidence <> 'none' and p.condition_id is null
    group by i.protocol, i.provenance, i.image_id
    having min(i.question_set) <> max(i.question_set)
),

by_repetition as (
    select
        a.protocol, a.reader, a.evidence, a.captioner, a.prompt, a.provenance, a.question_id, a.repeat,
        condition_of(a.protocol, a.reader, a.evidence, a.captioner, a.prompt, a.provenance) as condition_id,
        min(a.domain) as domain, min(a.category) as category, min(a.image_id) as image_id, count(*) as n_answers,
        count(*) filter (where a.outcome = 'correct') as n_correct,
        count(*) filter (where a.outcome = 'cannot') as n_cannot,
        count(*) filter (where a.offers_cannot) as n_offered,
        sum(outcome_parts(a.outcome, a.options)) as score_parts
    from counted_answers() as a
    inner join uneven as u on u.image_id = a.image_id and u.protocol = a.protocol and u.provenance = a.provenance
    where a.evidence <> 'none'
    group by a.protocol, a.reader, a.evidence, a.captioner, a.prompt, a.provenance, a.question_id, a.repeat
)

select
    a.protocol, a.reader, a.evidence, a.captioner, a.prompt, a.provenance, a.question_id, a.condition_id, a.domain,
    a.category, a.image_id,
    sum(a.n_answers) as n_answers, sum(a.n_correct) as n_correct, sum(a.n_cannot) as n_cannot,
    sum(a.n_offered) as n_offered, sum(a.score_parts) as score_parts
from by_repetition as a
left join partial_repetitions as p on p.condition_id = a.condition_id and p.domain = a.domain and p.repeat = a.repeat
where p.condition_id is null
group by
    a.protocol, a.reader, a.evidence, a.captioner, a.prompt, a.provenance, a.question_id, a.condition_id, a.domain,
    a.category, a.image_id;
