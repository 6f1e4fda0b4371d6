-- shows: How fast are the models, and how much comes from the prefix cache?

select
    stage, model, count(*) as calls, round(quantile_cont(latency_ms, 0.5)) as median_ms,
    round(quantile_cont(latency_ms, 0.95)) as p95_ms,
    round(100 * sum(cached_tokens) / nullif(sum(prompt_tokens), 0), 1) as from_cache,
    sum(attempts) - count(*) as retries
from calls
group by stage, model
order by stage, model;
