-- what: temperatures and limits of tokens with which models were asked, by unit
-- key: [unit, stage, protocol, model, provenance, temperature, max_tokens]
-- source: a step towards run_differences, the settings that differ from the authors'
-- fold: calls
-- checks: {rows: n_calls}
-- columns:
--   unit:
--   stage: [varchar, "stage that asked: caption, answer, judge, …; ingest for replies read from files"]
--   protocol: [varchar, protocol of the request]
--   model: [varchar, model_id of the model that was asked]
--   provenance:
--   temperature: [varchar, temperature as it was sent; empty when it was left to the server or is unknown]
--   max_tokens: [varchar, limit of tokens as it was sent; empty when it was left to the server or is unknown]
--   n_calls: [bigint, count, 1.., calls]

select
    unit, stage, protocol, model, provenance,
    coalesce(regexp_extract(sampling, '"temperature":([0-9.]+)', 1), '') as temperature,
    coalesce(regexp_extract(sampling, '"max_tokens":([0-9]+)', 1), '') as max_tokens, count(*) as n_calls
from calls
group by unit, stage, protocol, model, provenance, temperature, max_tokens;
