-- shows: Number of options of the questions
-- paper: CaptionQA, Figure 7
-- benchmark: captionqa
-- columns:
--   - {name: n_options, head: Options, decimals: 0}
--   - {name: n_questions, head: Questions, decimals: 0}
--   - {name: share, head: Share (%), decimals: 1}
--   - {name: n_yes_no, head: Yes/no questions, decimals: 0}
--   - {name: share_yes_no, head: Yes/no (%), decimals: 1}

select *, domain as section
from question_options
inner join shown_banks using (bank)
order by domain_order(domain), domain, n_options
