-- shows: Which answers, drawn at random, should I read?

select captioner_name, prompt, reader, provenance, question, options, answer, choice, outcome, caption, reply
from answers_wide
where evidence = 'caption'
order by md5(concat_ws('/', 1, question_id, captioner, prompt, reader, protocol))
limit 10;
