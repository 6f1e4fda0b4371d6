-- shows: Settings of each result beside the authors'
-- site: {page: settings, nav: Settings, title: "Settings beside the authors'", place: 6}
-- about: Prompt, sampling, reader and treatment of failures, of the papers and code, beside runs and logs of the lake.
-- columns:
--   - {name: captioner_name, head: Captioner, page: facet}
--   - {name: benchmark, page: facet}
--   - {name: prompt}
--   - {name: reader, page: facet}
--   - {name: program, head: Run by}
--   - {name: setting}
--   - {name: authors, head: Authors}
--   - {name: own, head: Here, empty: not known}
--   - {name: differs, head: Differs, page: facet}
--   - {name: difference, decimals: 2, signed: true, ends: true, empty: ""}
--   - {name: basis, head: Source, prose: true}

select
    * exclude (setting, differs), part || ': ' || setting as setting,
    case differs when true then 'yes' when false then 'no' else '' end as differs
from run_differences
order by benchmark, captioner_name, captioner, prompt, reader, protocol, place
