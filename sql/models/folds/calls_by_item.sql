-- what: the calls of judges about battles, and the calls that made or tested candidate questions, with their tokens;
--     all attempts are added up
-- key: [unit, protocol, model, provenance, item]
-- source: a step towards the cost of a test (CapArena section 5) and of a bank (CaptionQA section 12)
-- fold: calls
-- columns:
--   unit:
--   protocol: [varchar, "protocol of the calls, such as caparena/battle or construct/generate/1"]
--   model: [varchar, model_id of the model that was asked]
--   provenance:
--   item: [varchar, "subject of the calls: a battle, in both orders, or the item of candidates"]
--   n_calls: [bigint, count, 1.., "calls, including calls with unreadable replies"]
--   n_failed: [bigint, count, 0.., calls without a reply]
--   n_uncounted, prompt_tokens, cached_tokens, completion_tokens:

-- The subject of a judge's call is the battle's name, a blank and the order. The subject of a call of the construction
-- begins with the item's name and a slash; an item's name has no slash.
with asked as (
    select
        *, case when split_part(protocol, '/', 1) = 'construct' then split_part(subject, '/', 1)
            else regexp_replace(subject, ' (ab|ba)\z', '') end as item
    from calls
    where protocol in ('caparena/battle', 'caparena/battle-reference') or split_part(protocol, '/', 1) = 'construct'
)

select
    unit, protocol, model, provenance, item, count(*) as n_calls,
    sum(case when state = 'failed' then 1 else 0 end) as n_failed,
    sum(case when state <> 'failed' and prompt_tokens = 0 then 1 else 0 end) as n_uncounted,
    sum(prompt_tokens) as prompt_tokens,
    sum(cached_tokens) as cached_tokens, sum(completion_tokens) as completion_tokens
from asked
group by unit, protocol, model, provenance, item;
