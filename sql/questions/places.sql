-- shows: How sure are the places?
-- parameters: {prompt: null}

select rank, rank_low, rank_high, captioner_name, round(value, 2) as score, share_first, n_images, provenance, reader
from captionqa_ranks
where prompt = coalesce($prompt, (from main_prompt))
    and protocol = 'captionqa/upstream' and metric = 'score' and domain = 'Overall' and origin = 'answers'
order by provenance, reader, rank;
