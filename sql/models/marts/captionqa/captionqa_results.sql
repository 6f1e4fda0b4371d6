-- what: CaptionQA results by captioner, caption prompt and domain, computed from answers and as printed in the paper
-- key: [protocol, reader, evidence, captioner, prompt, domain, provenance, origin]
-- source: CaptionQA Tables 11 to 26; a cell that is absent there is taken from Table 3, score only
-- columns:
--   like: {model: captionqa_scores, except: [level, category, subcategory, question_set, main_set]}

select
    condition_id, protocol, reader, evidence, captioner, captioner_name, prompt, provenance, size, model_type, origin, domain, source_item,
    n_questions, n_images, n_answers, n_correct, n_incorrect, n_cannot, n_unparsed, n_failed, n_offered,
    score, score_se, score_low, score_high, accuracy, accuracy_se, accuracy_low, accuracy_high,
    cannot_rate, cannot_rate_se, cannot_rate_low, cannot_rate_high,
    cannot_rate_offered, cannot_rate_offered_se, cannot_rate_offered_low, cannot_rate_offered_high,
    effective_images, effective_images_offered
from captionqa_scores
where level = 'domain';
