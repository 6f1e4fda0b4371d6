-- shows: Settings of each result beside the authors'
-- site: {page: settings, nav: Settings, title: "Settings beside the authors'", place: 6}
-- about: Prompt, sampling, reader and treatment of failures, from the papers and their released code, beside runs and
--     logs of the lake.
-- columns:
--   - {name: captioner_name, head: Captioner, page: facet}
--   - {name: benchmark, page: facet}
--   - {name: prompt}
--   - {name: reader, page: facet}
--   - {name: program, head: Run by}
--   - {name: setting}
--   - {name: authors, head: Authors}
--   - {name: own, head: Here}
--   - {name: differ, head: Differs, page: facet}
--   - {name: difference, decimals: 2, signed: true, ends: true, empty: ""}
--   - {name: basis, head: Source, prose: true}

select
    d.* exclude (setting, own), d.part || ': ' || d.setting as setting, coalesce(d.own, 'not known') as own,
    case d.differs when true then 'yes' when false then 'no' else '' end as differ
from run_differences as d
order by d.benchmark, d.captioner_name, d.captioner, d.prompt, d.reader, d.protocol, d.place
