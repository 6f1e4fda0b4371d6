-- shows: What a bank of questions costs to make
-- about: "Cost: by the prices that the configuration had when the calls were made, in its currency; unknown without a
--     price, or where a server
--    counted no tokens. The paper counts what generators and validators cost, in US dollars; blind readers and
--     embedders ran on its own machines."
-- paper: CaptionQA, Section 12
-- benchmark: captionqa
-- columns:
--   - {name: stage}
--   - {name: model_name, head: Model}
--   - {name: n_calls, head: Calls, decimals: 0}
--   - {name: tokens, decimals: 0}
--   - {name: cached_tokens, head: from cache, decimals: 0}
--   - {name: cost_low, head: "Cost, least", decimals: 2, empty: unknown}
--   - {name: cost_high, head: most, decimals: 2, empty: unknown}
--   - {name: n_questions, head: Questions, decimals: 0}
--   - {name: tokens_per_1000, head: "Tokens for 1,000", decimals: 0}
--   - {name: cost_low_per_1000, head: "Cost for 1,000, least", decimals: 2}
--   - {name: cost_high_per_1000, head: most, decimals: 2}

select *, coalesce(nullif(domain, ''), 'Any domain, as printed') as section
from construct_costs
order by
    domain_order(domain), domain,
    list_position(['generate', 'blind', 'embed', 'validate', 'generate_and_validate', 'all'], stage), model_name
