-- shows: Easy, medium and hard questions
-- paper: CaptionQA, Table 10
-- benchmark: captionqa
-- one: prompt
-- columns:
--   - {name: domain}
--   - {name: easy_share, head: Easy (%), decimals: 1}
--   - {name: medium_share, head: Medium (%), decimals: 1}
--   - {name: hard_share, head: Hard (%), decimals: 1}
--   - {name: n_questions, head: Questions, decimals: 0}

select *, format('Easy, medium and hard questions, {} prompt', prompt) as title
from difficulty_bins
semi join shown_readers using (protocol, reader, provenance)
order by prompt_place(prompt), domain_order(domain), domain
