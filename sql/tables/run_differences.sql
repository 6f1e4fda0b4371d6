-- shows: Settings beside the authors'
-- about: Of each result the settings that differ from the settings of the paper and its released code, and the
--     difference of the results.
--   A printed figure is taken as exact.
-- paper: CaptionQA, CAPability, CV-CapBench and CapArena, and the code of their authors
-- parameters: {captioner: null}
-- columns:
--   - {name: setting, head: Setting}
--   - {name: authors, head: Authors}
--   - {name: own, head: Here}
--   - {name: difference, head: Difference, decimals: 2, signed: true, ends: true, empty: ""}
--   - {name: basis, head: Source, prose: true}

select
    d.* exclude (setting, own), d.part || ': ' || d.setting as setting, coalesce(d.own, 'not known') as own,
    concat_ws(', ', d.benchmark, d.captioner_name, case when d.prompt <> d.benchmark then d.prompt end,
        'read by ' || model_name(d.reader)) as section
from run_differences as d
where (d.part = 'result' or d.differs) and coalesce($captioner, d.captioner) in (d.captioner, d.captioner_name)
order by d.benchmark, d.captioner, d.prompt, d.reader, d.protocol, d.place
