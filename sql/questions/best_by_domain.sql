-- shows: Which captioner is best in each domain, and how surely?
-- about: Places are among captioners that answered the same questions; share_first is the share of bootstrap samples of the pictures
--   in which the captioner is first.
-- parameters: {prompt: null}

select
    domain, captioner_name, round(value, 2) as score, round(value_low, 2) as low, round(value_high, 2) as high, share_first, n_models,
    n_questions, reader, provenance
from captionqa_ranks
where rank = 1 and metric = 'score' and prompt = coalesce($prompt, (from main_prompt)) and protocol = 'captionqa/upstream'
order by domain = 'Overall', domain, provenance, reader, n_models desc, n_questions desc, captioner_name;
