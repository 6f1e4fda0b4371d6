-- what: "for each reader and question, the caption drawn from those that the reader was asked about: the pool of a reader alone"
-- key: [protocol, reader, provenance, question_id]
-- source: CaptionQA section 3.5
-- fold: answers
-- columns:
--   protocol, reader, provenance, question_id:
--   image_id: [varchar, {merge: max}, item of the question]
--   drawn: [varchar, {merge: min}, "least lot of the captions that were read, and after it on lines of their own its outcome, captioner and
--       prompt, which the least of two lots takes along"]

select
    protocol, reader, provenance, question_id, max(image_id) as image_id,
    min(concat_ws(chr(10), pool_lot(sampling_seed(), question_id, captioner, prompt), outcome, captioner, prompt)) as drawn
from counted_answers()
where evidence = 'caption' and repeat = 0 and in_pool(prompt)
group by protocol, reader, provenance, question_id;
