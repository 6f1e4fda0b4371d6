-- what: "CaptionQA scores by second level of the taxonomy: the axes of the radar charts"
-- key: [protocol, reader, evidence, captioner, prompt, provenance, domain, category, subcategory]
-- source: CaptionQA Figures 24 to 28; nothing of them is printed as numbers
-- columns:
--   like: {model: captionqa_scores, except: [level, origin, source_item, question_set, main_set]}

select
    condition_id, protocol, reader, evidence, captioner, captioner_name, prompt, provenance, size, model_type,
    domain, category, subcategory, n_questions, n_images, n_answers, n_correct, n_incorrect, n_cannot, n_unparsed, n_failed, n_offered,
    score, score_se, score_low, score_high, accuracy, accuracy_se, accuracy_low, accuracy_high,
    cannot_rate, cannot_rate_se, cannot_rate_low, cannot_rate_high,
    cannot_rate_offered, cannot_rate_offered_se, cannot_rate_offered_low, cannot_rate_offered_high,
    effective_images, effective_images_offered
from captionqa_scores
where level = 'subcategory';
