-- recipe: ranks
-- asks: How sure are the places?
-- parameters:
--   prompt: [Simple, caption prompt]
--   protocol: [captionqa/upstream, how questions were put]

select rank, rank_low, rank_high, captioner_name, round(value, 2) as score, share_first, n_images, provenance, reader
from captionqa_ranks
where prompt = $prompt and protocol = $protocol and metric = 'score' and domain = 'Overall' and origin = 'answers'
order by provenance, reader, rank;
