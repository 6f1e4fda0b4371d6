-- shows: Which questions does A get right and B wrong?
-- parameters: {captioner: "", other: "", prompt: null}

select domain, question, answer, choice_a, choice_b, caption_a, caption_b, question_id, picture, reader, provenance
from versus($captioner, $other)
where outcome_a = 'correct' and protocol = 'captionqa/upstream' and prompt = coalesce($prompt, (from main_prompt))
limit 20;
