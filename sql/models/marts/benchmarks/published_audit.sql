-- what: numbers of the four papers' tables and of the public leaderboard that contradict each other
-- key: [benchmark, check_name, item, model, prompt, domain, category, metric]
-- source: CaptionQA, CAPability, CV-CapBench and CapArena, as in the audit of each
-- columns:
--   benchmark, check_name, item, model:
--   prompt: [varchar, caption prompt; empty when the row has none]
--   domain: [varchar, domain; empty when the row has none]
--   category: [varchar, taxonomy category or dimension; empty when the row has none]
--   metric: [varchar, figure that the finding is about; empty when it is about the whole row]
--   kind, printed, expected:
--   difference: [double, printed less expected]
--   message, provenance:

select
    benchmark, check_name, item, model, coalesce(prompt, '') as prompt, coalesce(domain, '') as domain, category,
    metric, kind, printed, expected, printed - expected as difference, message, provenance
from (
    select 'captionqa' as benchmark, * from audit_captionqa
    union all by name
    select * from audit_rubric
    union all by name
    select 'caparena' as benchmark, * from audit_caparena
);

-- audit: findings_say_what_differs: a finding about a figure names both figures, and they differ
select benchmark, check_name, item, model, domain, category, metric, printed, expected
from published_audit
where check_name <> 'missing_row' and (printed is null or expected is null or printed = expected);
