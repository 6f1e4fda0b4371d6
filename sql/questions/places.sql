-- shows: In which places may each captioner really be?
-- about: Places on a board, among captioners that answered the same questions; rank_low and rank_high are the places that are possible by the
--   95% intervals of the differences to all others.
-- parameters: {prompt: null}

select rank, rank_low, rank_high, captioner_name, round(value, 2) as score, n_models, n_questions, board, provenance
from captionqa_ranks
semi join shown_readers using (protocol, reader, provenance)
where prompt = coalesce($prompt, (from main_prompt)) and metric = 'score' and is_headline and origin = 'answers'
order by provenance, board_place, rank nulls last, captioner_name, captioner;
