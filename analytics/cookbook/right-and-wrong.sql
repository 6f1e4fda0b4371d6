-- recipe: right-and-wrong
-- asks: Which questions does A get right and B wrong?
-- first: 2
-- parameters:
--   a: [null, id or name of a captioner]
--   b: [null, of another one]
--   prompt: [{sql: select m.prompt from main_prompt as m}, caption prompt]
--   reader: ["", id of a reader; all when empty]
--   protocol: [captionqa/upstream, how questions were put]
--   n: [20, rows at most]
-- example: {a: stub-captioner-large, b: stub-captioner-small}

select domain, question, answer, choice_a, choice_b, caption_a, caption_b, question_id, picture, reader, provenance
from versus($a, $b)
where outcome_a = 'correct' and protocol = $protocol and prompt = $prompt and ($reader = '' or reader = $reader)
limit $n;
