-- what: "CaptionQA answers added up by image and category: what all starts from that does not go below categories"
-- key: [protocol, reader, evidence, captioner, prompt, provenance, domain, category, image_id]
-- source: a step on the way to CaptionQA Tables 3, 4 and 9 and Figures 13 to 23
-- columns:
--   protocol, reader, evidence, captioner, prompt, provenance, domain, category, image_id, n_answers, n_questions:
--   n_repeats: [bigint, count, 1.., "highest number of a repetition, plus one"]
--   n_correct, n_cannot, n_offered, score_parts, question_set:

select
    protocol, reader, evidence, captioner, prompt, provenance, domain, category, image_id,
    sum(n_answers) as n_answers, sum(n_questions) as n_questions, max(n_repeats) as n_repeats, sum(n_correct) as n_correct,
    sum(n_cannot) as n_cannot, sum(n_offered) as n_offered, sum(score_parts) as score_parts, sum(question_set) as question_set
from captionqa_image_sums
group by protocol, reader, evidence, captioner, prompt, provenance, domain, category, image_id;
