-- what: "for each reader, question and prompt of the pool, the caption drawn from those that the reader was asked about; the least of the
--     prompts is that of the pool of a reader alone"
-- key: [protocol, reader, prompt, provenance, question_id]
-- source: CaptionQA section 3.5
-- fold: answers by prompt
-- columns:
--   protocol, reader, prompt, provenance, question_id:
--   image_id: [varchar, item of the question]
--   drawn: [varchar, "least lot of the captions that were read, and after it on lines of their own its outcome and captioner, which the
--       least of two lots takes along"]

select
    protocol, reader, prompt, provenance, question_id, max(image_id) as image_id,
    min(concat_ws(chr(10), pool_lot(sampling_seed(), question_id, captioner, prompt), outcome, captioner)) as drawn
from counted_answers()
where evidence = 'caption' and repeat = 0 and in_pool(prompt)
group by protocol, reader, prompt, provenance, question_id;
