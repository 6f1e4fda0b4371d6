-- shows: Which captioner is best in each domain, and how surely?
-- about: Places are on a board, among captioners that answered the same questions. It is certain where rank_high is 1.
-- parameters: {prompt: null}

select
    domain, captioner_name, round(value, 2) as score, round(value_low, 2) as low, round(value_high, 2) as high, rank_high, n_models,
    n_questions, reader, provenance
from captionqa_ranks
semi join shown_boards using (board_id, captioner, origin)
where rank = 1 and metric = 'score' and prompt = coalesce($prompt, (from main_prompt))
order by is_headline and contains(domain, ','), domain = 'Overall', domain, provenance, captioner_name, captioner;
