-- what: the calls of judges about battles, with their tokens; both orders and all attempts together
-- key: [unit, protocol, judge, provenance, battle_id]
-- source: a step on the way to the cost of a test (CapArena section 5)
-- fold: calls
-- columns:
--   unit:
--   protocol: [varchar, [caparena/battle, caparena/battle-reference]]
--   judge, provenance:
--   battle_id: [varchar, battle that the judge was asked about]
--   n_calls: [bigint, count, 1.., "calls, those whose replies cannot be read included"]
--   n_failed: [bigint, count, 0.., calls without a reply]
--   n_uncounted, prompt_tokens, cached_tokens, completion_tokens:

-- The subject of such a call is the battle's name, a blank and the order.
select
    unit, protocol, model as judge, provenance, regexp_replace(subject, ' (ab|ba)\z', '') as battle_id, count(*) as n_calls,
    sum(case when state = 'failed' then 1 else 0 end) as n_failed,
    sum(case when state <> 'failed' and prompt_tokens = 0 then 1 else 0 end) as n_uncounted, sum(prompt_tokens) as prompt_tokens,
    sum(cached_tokens) as cached_tokens, sum(completion_tokens) as completion_tokens
from calls
where protocol in ('caparena/battle', 'caparena/battle-reference')
group by unit, protocol, model, provenance, regexp_replace(subject, ' (ab|ba)\z', '');
