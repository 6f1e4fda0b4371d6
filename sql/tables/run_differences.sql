-- shows: Settings beside the authors'
-- about: Settings that differ from the paper's, and the difference of results. A printed figure counts as exact.
-- paper: CaptionQA, CAPability, CV-CapBench and CapArena, and the code of their authors
-- parameters: {captioner: null}
-- columns:
--   - {name: setting, head: Setting}
--   - {name: authors, head: Authors}
--   - {name: own, head: Here, empty: not known}
--   - {name: difference, head: Difference, decimals: 2, signed: true, ends: true, empty: ""}
--   - {name: basis, head: Source, prose: true}

select
    * exclude (setting), part || ': ' || setting as setting,
    concat_ws(', ', benchmark, captioner_name, nullif(prompt, benchmark), 'read by ' || model_name(reader)) as section
from run_differences
where (part = 'result' or differs) and coalesce($captioner, captioner) in (captioner, captioner_name)
order by benchmark, captioner, prompt, reader, protocol, place
