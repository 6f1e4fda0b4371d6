-- macro: []
-- what: the cost of recorded calls in calls, tokens and money, by run, stage and model
-- example: select stage, model, sum(n_calls), sum(prompt_tokens), sum(cost) from spent() group by all
-- columns:
--   run_id: run that recorded the calls; a unit that was run again has one for each execution, by when the replies came
--   unit: unit of work that holds the calls
--   stage: "stage that asked: caption, answer, judge, …; ingest for replies read from files"
--   model: id of the model asked
--   provenance: measured, published or simulated
--   finished_at: when the run was committed
--   n_calls: calls, failed ones included
--   n_failed: calls that gave no reply
--   prompt_tokens: tokens of the prompts; null when unknown
--   cached_tokens: of these, tokens that the servers took from their prefix caches
--   completion_tokens: tokens of the replies; null when unknown
--   cost: "money in the currency of the configuration's prices, by the prices that the run recorded; null where the
--     model had no price or the tokens are unknown"

with executions as (
    select
        r.unit, r.run_id, r.finished_at, r.current,
        cast(json_extract(nullif(r.detail, ''), '$.price.input') as double) as input_price,
        cast(json_extract(nullif(r.detail, ''), '$.price.cached') as double) as cached_price,
        cast(json_extract(nullif(r.detail, ''), '$.price.output') as double) as output_price
    from runs as r
    where list_contains(r.tables, 'calls')
),

recorded as (
    select c.unit, coalesce(e.run_id, l.run_id) as run_id, c.stage, c.model, c.provenance, c.state,
        c.prompt_tokens, c.cached_tokens, c.completion_tokens
    from calls as c
    -- The first execution that ended after the reply came; the last where a clock went backwards.
    asof left join executions as e on e.unit = c.unit and e.finished_at >= c.finished_at
    left join executions as l on l.unit = c.unit and l.current
),

summed as (
    select
        run_id, unit, stage, model, provenance, count(*) as n_calls,
        count(*) filter (where state = 'failed') as n_failed,
        nullif(sum(prompt_tokens), 0) as prompt_tokens, sum(cached_tokens) as cached_tokens,
        nullif(sum(completion_tokens), 0) as completion_tokens
    from recorded
    group by run_id, unit, stage, model, provenance
)

select
    s.run_id, s.unit, s.stage, s.model, s.provenance, e.finished_at, s.n_calls, s.n_failed,
    cast(s.prompt_tokens as bigint) as prompt_tokens, cast(s.cached_tokens as bigint) as cached_tokens,
    cast(s.completion_tokens as bigint) as completion_tokens,
    (
        e.input_price * (s.prompt_tokens - s.cached_tokens) + e.cached_price * s.cached_tokens
        + e.output_price * coalesce(s.completion_tokens, 0)
    ) / 1000000 as cost
from summed as s
left join executions as e on e.run_id = s.run_id and e.unit = s.unit
order by e.finished_at, s.run_id, s.stage, s.model;
