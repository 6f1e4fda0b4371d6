-- shows: How two validators agree
-- about: "Agreement: both chose the same option or the same flag. Kappa is Cohen's, over the kinds of choices: the
--     key, another option, or a flag."
-- no_demo: "it has no questions under construction"
-- paper: CaptionQA, Section 4.4
-- benchmark: captionqa
-- columns:
--   - {name: validator_a_name, head: Validator}
--   - {name: validator_b_name, head: and}
--   - {name: n_candidates, head: Questions, decimals: 0}
--   - {name: n_both_key, head: Both the key, decimals: 0}
--   - {name: n_both_flag, head: Both a flag, decimals: 0}
--   - {name: agreement, head: Agreement (%), decimals: 1}
--   - {name: expected, head: By chance (%), decimals: 1}
--   - {name: kappa, decimals: 2}

select *, domain as section
from construct_agreement
order by domain_order(domain), domain, validator_a_name, validator_b_name
