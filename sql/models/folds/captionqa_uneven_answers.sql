-- what: CaptionQA answers about images of which a reader of captions, or the captioner itself, did not answer the same questions every
--     time, added up by question
-- key: [protocol, reader, evidence, captioner, prompt, provenance, question_id]
-- source: "a step on the way to differences, gaps and gains of runs that answered a part of the questions: there, what is compared is
--     paired by question; elsewhere, by image"
-- fold: answers
-- columns:
--   protocol, reader, evidence, captioner, prompt, provenance, n_answers, n_correct, n_cannot, n_offered, score_parts:
--   condition_id, question_id:
--   domain: [varchar, domain]
--   category: [varchar, first level of the domain's taxonomy; empty when the bank names none]
--   image_id: [varchar, item that the question is about]

with captioners as (
    select distinct protocol, reader, provenance, captioner
    from merged_captionqa_images()
    where level = 'domain' and evidence = 'caption'
),

-- What the captioner answered from the image is held against what each reader answered from its captions.
sets as (
    select protocol, reader, provenance, image_id, question_set
    from merged_captionqa_images()
    where level = 'domain' and evidence = 'caption'
    union all
    select i.protocol, c.reader, i.provenance, i.image_id, i.question_set
    from merged_captionqa_images() as i
    inner join captioners as c using (protocol, provenance, captioner)
    where i.level = 'domain' and i.evidence = 'image'
),

uneven_images as (
    select protocol, reader, provenance, image_id
    from sets
    group by protocol, reader, provenance, image_id
    having min(question_set) <> max(question_set)
),

uneven as (
    select protocol, provenance, image_id, 'caption' as evidence, reader
    from uneven_images
    union all
    select distinct protocol, provenance, image_id, 'image', ''
    from uneven_images
)

select
    a.protocol, a.reader, a.evidence, a.captioner, a.prompt, a.provenance, a.question_id,
    condition_of(a.protocol, a.reader, a.evidence, a.captioner, a.prompt, a.provenance) as condition_id,
    min(a.domain) as domain, min(a.category) as category, min(a.image_id) as image_id,
    count(*) as n_answers,
    count(*) filter (where a.outcome = 'correct') as n_correct,
    count(*) filter (where a.outcome = 'cannot') as n_cannot,
    count(*) filter (where a.offers_cannot) as n_offered,
    sum(score_parts(a.score)) as score_parts
from counted_answers() as a
inner join uneven as u
    on u.image_id = a.image_id and u.evidence = a.evidence and u.protocol = a.protocol and u.provenance = a.provenance
    and u.reader = case when a.evidence = 'image' then '' else a.reader end
group by a.protocol, a.reader, a.evidence, a.captioner, a.prompt, a.provenance, a.question_id;
