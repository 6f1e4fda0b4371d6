-- recipe: question
-- asks: What did every captioner make of one question?
-- parameters:
--   question: [null, question_id]
--   protocol: [captionqa/upstream, how questions were put]
-- example: {question: doc_s01/02e17f4a34}

select captioner_name, prompt, reader, outcome, choice, answer, reply, caption
from answers_wide
where question_id = $question and protocol = $protocol
order by captioner, prompt, reader;
