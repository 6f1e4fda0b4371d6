-- what: images about which a reader of captions, or the captioner itself, did not answer the same questions every time
-- key: [protocol, reader, provenance, image_id]
-- source: "a step on the way to differences, gaps and gains of runs that answered a part of the questions: there, what is compared is
--     paired by question; elsewhere, by image"
-- columns:
--   protocol, reader, provenance, image_id:
--   n_sets: [bigint, count, 2.., sets of questions that were answered]

with captioners as (
    select distinct protocol, reader, provenance, captioner
    from captionqa_domain_images
    where evidence = 'caption'
),

-- What the captioner answered from the image is held against what each reader answered from its captions.
sets as (
    select protocol, reader, provenance, image_id, question_set
    from captionqa_domain_images
    where evidence = 'caption'
    union all
    select i.protocol, c.reader, i.provenance, i.image_id, i.question_set
    from captionqa_domain_images as i
    inner join captioners as c using (protocol, provenance, captioner)
    where i.evidence = 'image'
)

select protocol, reader, provenance, image_id, count(distinct question_set) as n_sets
from sets
group by protocol, reader, provenance, image_id
having min(question_set) <> max(question_set);
