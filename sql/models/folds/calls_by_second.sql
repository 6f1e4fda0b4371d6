-- what: the number of replies that each reader gave in each second, with tokens and durations; replies from files are
--     left out. Reading speeds are computed from these rows
-- key: [unit, reader, provenance, second]
-- source: a step towards CaptionQA Figure 2
-- fold: calls
-- columns:
--   unit, reader, provenance:
--   second: [bigint, seconds, whole seconds since 1970 at which the replies were complete]
--   n_calls: [bigint, count, 1.., calls that were answered]
--   latency: [bigint, us, 0.., microseconds from the start of a request to its reply]
--   prompt_tokens:
--   cached_tokens: [bigint, tokens, 0.., tokens of the prompts that the server took from its prefix cache]
--   started: [bigint, us, {merge: min}, "start of the first request, in microseconds since 1970"]
--   first_reply: [bigint, us, {merge: min}, first moment at which a reply was complete]
--   last_reply: [bigint, us, {merge: max}, last moment at which a reply was complete]

with replies as (
    select
        unit, model as reader, provenance, micros_of(finished_at) as finished,
        cast(round(latency_ms * 1000) as bigint) as latency, prompt_tokens, cached_tokens
    from calls
    where stage = 'answer' and state = 'ok' and latency_ms is not null  -- replies of an offline batch have no times
)

select
    unit, reader, provenance, cast(floor(finished / 1000000) as bigint) as second, count(*) as n_calls,
    sum(latency) as latency,
    sum(prompt_tokens) as prompt_tokens, sum(cached_tokens) as cached_tokens, min(finished - latency) as started,
    min(finished) as first_reply, max(finished) as last_reply
from replies
group by unit, reader, provenance, cast(floor(finished / 1000000) as bigint);
