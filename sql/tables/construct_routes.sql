-- shows: What became of the validated questions of each category
-- no_demo: "it has no questions under construction"
-- paper: CaptionQA, Section 4.4
-- benchmark: captionqa
-- columns:
--   - {name: category}
--   - {name: n_candidates, head: Validated, decimals: 0}
--   - {name: accepted, head: Accepted (%), decimals: 1}
--   - {name: n_discard, head: Flagged by both, decimals: 0}
--   - {name: n_review, head: For a person, decimals: 0}
--   - {name: n_kept, head: Kept, decimals: 0}
--   - {name: n_fixed, head: Fixed, decimals: 0}
--   - {name: n_dropped, head: Dropped, decimals: 0}
--   - {name: n_waiting, head: Waiting, decimals: 0}
--   - {name: n_questions, head: Published, decimals: 0}

select * replace (coalesce(nullif(category, ''), 'All') as category), domain as section
from construct_routes as r
order by domain_order(domain), domain, r.category
