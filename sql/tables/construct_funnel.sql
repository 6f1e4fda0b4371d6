-- shows: Generated questions that are left after each step of the construction
-- about: "Sighted: not known to a reader without the picture. Distinct: one for each group of near-duplicates.
--     Accepted, discard and review are the routes of the distinct ones. Waiting: questions of the step before that
--     have not come to this one yet."
-- no_demo: "it has no questions under construction"
-- paper: CaptionQA, Section 4
-- benchmark: captionqa
-- columns:
--   - {name: step}
--   - {name: n_candidates, head: Questions, decimals: 0}
--   - {name: share, head: of those generated (%), decimals: 1}
--   - {name: n_images, head: Images, decimals: 0}
--   - {name: n_generators, head: Generators, decimals: 0}
--   - {name: n_waiting, head: Waiting, decimals: 0}

select *, domain as section
from construct_funnel
order by domain_order(domain), domain, position
