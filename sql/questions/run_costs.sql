-- shows: What did a run cost?
-- about: Cost is null unless captionlake.yaml had prices when the run was made.

select
    stage, model, unit, finished_at, n_calls, n_failed, prompt_tokens, cached_tokens, completion_tokens,
    round(cost, 4) as cost
from spent()
order by cost desc nulls last, prompt_tokens desc nulls last, unit
limit 20;
