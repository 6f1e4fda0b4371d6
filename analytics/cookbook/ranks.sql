-- recipe: ranks
-- asks: How sure are the places?
-- parameters:
--   prompt: [{sql: select m.prompt from main_prompt as m}, caption prompt]
--   reader: ["", id of a reader; all when empty]
--   protocol: [captionqa/upstream, how questions were put]

select rank, rank_low, rank_high, captioner_name, round(value, 2) as score, share_first, n_images, provenance, reader
from captionqa_ranks
where prompt = $prompt and protocol = $protocol and metric = 'score' and domain = 'Overall' and origin = 'answers' and ($reader = '' or reader = $reader)
order by provenance, reader, rank;
