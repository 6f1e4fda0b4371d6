-- The executions of units, and the cost of their calls.
select
    strftime(r.finished_at::timestamp, '%Y-%m-%d %H:%M:%S') as ended, r.stage, r.unit, r.source, r.rows,
    round(epoch(r.finished_at::timestamptz) - epoch(r.started_at::timestamptz), 1) as seconds,
    s.n_calls as calls, s.n_failed as failed, s.prompt_tokens, s.completion_tokens, s.cost
from runs as r
left join (
    select
        run_id, unit, total(n_calls) as n_calls, total(n_failed) as n_failed, total(prompt_tokens) as prompt_tokens,
        total(completion_tokens) as completion_tokens, sum(cost) as cost
    from spent()
    group by run_id, unit
) as s using (run_id, unit)
order by r.finished_at, r.unit
