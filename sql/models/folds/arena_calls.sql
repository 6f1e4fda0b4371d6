-- model: arena_calls
-- what: the calls of judges about battles, with their tokens
-- grain: one row per unit, protocol, judge, provenance and battle, both orders and all attempts together
-- key: [unit, protocol, judge, provenance, battle_id]
-- fold: calls
-- inputs: [calls]
-- source: a step on the way to the cost of a test (CapArena section 5)
-- columns:
--   unit: [varchar, unit that holds the calls]
--   protocol: [varchar, [caparena/battle, caparena/battle-reference]]
--   judge: [varchar, model_id of the judge]
--   provenance: [varchar, [published, measured, simulated]]
--   battle_id: [varchar, battle that the judge was asked about]
--   n_calls: [bigint, count, 1.., "calls, those whose replies cannot be read included"]
--   n_failed: [bigint, count, 0.., calls without a reply]
--   n_uncounted: [bigint, count, 0.., replies whose tokens the server did not count]
--   prompt_tokens: [bigint, tokens, 0.., tokens of the prompts]
--   cached_tokens: [bigint, tokens, 0.., "of them, tokens that the server took from its prefix cache"]
--   completion_tokens: [bigint, tokens, 0.., tokens of the replies]

-- The subject of such a call is the battle's name, a blank and the order.
select
    unit, protocol, model as judge, provenance, regexp_replace(subject, ' (ab|ba)\z', '') as battle_id, count(*) as n_calls,
    sum(case when state = 'failed' then 1 else 0 end) as n_failed,
    sum(case when state <> 'failed' and prompt_tokens = 0 then 1 else 0 end) as n_uncounted, sum(prompt_tokens) as prompt_tokens,
    sum(cached_tokens) as cached_tokens, sum(completion_tokens) as completion_tokens
from calls
where protocol in ('caparena/battle', 'caparena/battle-reference')
group by unit, protocol, model, provenance, regexp_replace(subject, ' (ab|ba)\z', '');
