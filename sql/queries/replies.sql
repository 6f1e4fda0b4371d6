select request_hash, repeat, reply, reasoning, finish_reason, error, prompt_tokens, cached_tokens, completion_tokens,
    latency_ms
from calls
where state = 'ok'
union all
-- A failed call of one unit stays although another unit got a reply to the same request; the reply was parsed.
select
    c.request_hash, c.repeat, c.reply, c.reasoning, c.finish_reason, c.error, c.prompt_tokens, c.cached_tokens,
    c.completion_tokens, c.latency_ms
from calls as c
where c.state <> 'ok'
    and not exists (
        select 1
        from calls as better
        where better.request_hash = c.request_hash and better.repeat = c.repeat
            and (
                better.state = 'ok' or (better.state = 'truncated' and c.state = 'failed')
                or (better.state = c.state and better.unit < c.unit)
            )
    )
