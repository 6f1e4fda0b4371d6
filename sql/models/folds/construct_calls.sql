-- what: the calls that made candidates and tried them, with their tokens; all attempts together
-- key: [unit, protocol, model, provenance, image_id]
-- source: a step on the way to the cost of a bank (CaptionQA section 12)
-- fold: calls
-- columns:
--   unit:
--   protocol: [varchar, "protocol of the calls, such as construct/generate/1"]
--   model: [varchar, model_id of the model that was asked]
--   provenance:
--   image_id: [varchar, item that the candidates are about]
--   n_calls: [bigint, count, 1.., "calls, those whose replies cannot be read included"]
--   n_failed: [bigint, count, 0.., calls without a reply]
--   n_uncounted, prompt_tokens, cached_tokens, completion_tokens:

-- The subject of such a call begins with the item's name and a slash; names of items have none.
select
    unit, protocol, model, provenance, split_part(subject, '/', 1) as image_id, count(*) as n_calls,
    sum(case when state = 'failed' then 1 else 0 end) as n_failed,
    sum(case when state <> 'failed' and prompt_tokens = 0 then 1 else 0 end) as n_uncounted, sum(prompt_tokens) as prompt_tokens,
    sum(cached_tokens) as cached_tokens, sum(completion_tokens) as completion_tokens
from calls
where split_part(protocol, '/', 1) = 'construct'
group by unit, protocol, model, provenance, split_part(subject, '/', 1);
