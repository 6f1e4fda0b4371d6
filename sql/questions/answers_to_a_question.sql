-- shows: What did every captioner make of one question?
-- parameters: {question: ""}

select captioner_name, prompt, reader, provenance, outcome, choice, answer, reply, caption
from answers_wide
where question_id = $question and protocol = 'captionqa/upstream'
order by captioner, prompt, reader;
