-- model: pool_lots
-- what: for each reader and question, the caption drawn from those that the reader was asked about, from which question_pool is drawn for
--     all readers
-- grain: one row per protocol, reader, provenance and question that was asked about captions of the pool's prompts
-- key: [protocol, reader, provenance, question_id]
-- fold: answers
-- inputs: [answers, stale_answers]
-- source: CaptionQA section 3.5
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the reader]
--   provenance: [varchar, "published, measured or simulated"]
--   question_id: [varchar, question]
--   image_id: [varchar, {merge: max}, item of the question]
--   drawn: [varchar, {merge: min}, "least lot of the captions that were read, and after it on lines of their own its outcome, captioner and
--       prompt, which the least of two lots takes along"]

select
    protocol, reader, provenance, question_id, max(image_id) as image_id,
    min(concat_ws(chr(10), pool_lot(sampling_seed(), question_id, captioner, prompt), outcome, captioner, prompt)) as drawn
from counted_answers()
where evidence = 'caption' and repeat = 0 and in_pool(prompt)
group by protocol, reader, provenance, question_id;
