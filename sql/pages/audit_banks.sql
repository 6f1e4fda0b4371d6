-- shows: Checks of banks of questions that were made here
-- about: What a reader of CaptionQA's section 4 would check of each question, and how many questions fail.
-- no_demo: it has no bank of questions that was made here
-- columns:
--   - {name: domain, page: facet}
--   - {name: statement, prose: true}
--   - {name: n_questions, head: Questions, decimals: 0}
--   - {name: n_failed, head: Fail, decimals: 0}
--   - {name: example, prose: true}

select *, 'measured' as provenance
from construct_checks
order by n_failed = 0, domain, position
