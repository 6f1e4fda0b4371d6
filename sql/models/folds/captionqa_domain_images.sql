-- what: "CaptionQA answers added up by image: what rankings, gaps and all else that does not go below domains starts from"
-- key: [protocol, reader, evidence, captioner, prompt, provenance, domain, image_id]
-- source: a step on the way to CaptionQA Tables 3 and 4 and Figures 13 to 16
-- columns:
--   protocol, reader, evidence, captioner, prompt, provenance, domain, image_id, n_answers, n_questions:
--   n_repeats: [bigint, count, 1.., "highest number of a repetition, plus one"]
--   n_correct, n_cannot, n_offered, score_parts, question_set:

select
    protocol, reader, evidence, captioner, prompt, provenance, domain, image_id,
    sum(n_answers) as n_answers, sum(n_questions) as n_questions, max(n_repeats) as n_repeats, sum(n_correct) as n_correct,
    sum(n_cannot) as n_cannot, sum(n_offered) as n_offered, sum(score_parts) as score_parts, sum(question_set) as question_set
from captionqa_category_images
group by protocol, reader, evidence, captioner, prompt, provenance, domain, image_id;

-- audit: one_domain: an image belongs to one domain, or its questions would be counted in two
select image_id, min(domain) as one, max(domain) as other
from captionqa_domain_images
group by image_id
having min(domain) <> max(domain);
