-- what: conditions with many replies that could not be read or were not given; tables and pages note them beside every
--     number of the condition
-- key: [protocol, reader, provenance, domain, prompt]
-- source: "captionlake: a reply without a readable choice scores 0, so a score with many such replies does not measure
--     the captions"
-- columns:
--   protocol, reader, provenance:
--   domain: [varchar, domain; empty for all]
--   prompt: [varchar, caption prompt; empty for all]
--   unread: [varchar, "captioners, and what share of their replies was lost"]

select
    protocol, reader, provenance, d.domain, p.prompt,
    string_agg(concat_ws(', ', captioner_name, d.each, p.each) || ': ' || note, '; ' order by captioner, d.each, p.each)
        as unread
from captionqa_scores as s
cross join lateral (values (s.domain, null), ('', s.domain)) as d (domain, each)
cross join lateral (values (s.prompt, null), ('', s.prompt)) as p (prompt, each)
where level = 'domain' and evidence = 'caption' and origin = 'answers' and note is not null
group by protocol, reader, provenance, d.domain, p.prompt;
