-- recipe: question
-- asks: What did every captioner make of one question?
-- parameters:
--   question: [null, question_id]
--   reader: ["", id of a reader; all when empty]
--   protocol: [captionqa/upstream, how questions were put]
-- example: {question: doc_s01/02e17f4a34}

select captioner_name, prompt, reader, provenance, outcome, choice, answer, reply, caption
from answers_wide
where question_id = $question and protocol = $protocol and ($reader = '' or reader = $reader)
order by captioner, prompt, reader;
