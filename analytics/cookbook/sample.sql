-- recipe: sample
-- asks: Which answers, drawn at random, should I read?
-- parameters:
--   outcome: ["", "correct, incorrect, cannot, unparsed or failed; any when empty"]
--   seed: [1, another number draws others]
--   n: [10, rows at most]

select captioner_name, prompt, reader, provenance, question, options, answer, choice, outcome, caption, reply
from answers_wide
where evidence = 'caption' and ($outcome = '' or outcome = $outcome)
order by md5(concat_ws('/', $seed, question_id, captioner, prompt, reader, protocol))
limit $n;
