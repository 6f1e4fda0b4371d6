-- what: captions that count in no result, because the call that they came from is gone
-- key: [unit, image_id, captioner, prompt]
-- source: "captionlake; the macro counted_captions leaves these rows out. No provenance: the table captions has it"
-- fold: captions
-- columns:
--   unit:
--   image_id: [varchar, item that the caption describes]
--   captioner: [varchar, model_id of the model that wrote it]
--   prompt:
--   cause: [varchar, [call], "call: its recorded call is gone"]

select c.unit, c.image_id, c.captioner, c.prompt, 'call' as cause
from captions as c
where c.request_hash <> ''
    and not exists (select 1 from calls as r where call_key(r.request_hash) = call_key(c.request_hash));
