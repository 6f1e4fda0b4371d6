-- model: stale_captions
-- what: captions that count in no result, because the call that they came from is gone
-- grain: one row per caption that does not count
-- key: [unit, image_id, captioner, prompt]
-- inputs: [captions, calls]
-- source: "captionlake; the macro counted_captions leaves these rows out. No provenance: the rows have it in their table"
-- fold: captions
-- columns:
--   unit: [varchar, unit of work that wrote the row]
--   image_id: [varchar, item that the caption describes]
--   captioner: [varchar, model_id of the model that wrote it]
--   prompt: [varchar, caption prompt]
--   cause: [varchar, [call], "call: its recorded call is gone"]

with made as (
    select unit, image_id, captioner, prompt, request_hash
    from captions
    where request_hash <> ''
)

select
    c.unit, c.image_id, c.captioner, c.prompt,
    'call' as cause
from made as c
where not exists (select 1 from calls as r where call_key(r.request_hash) = call_key(c.request_hash));
