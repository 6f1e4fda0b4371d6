-- recipe: cost
-- asks: What did a run cost?
-- tells: cost is null unless captionlake.yaml had prices when the run was made
-- first: 3
-- parameters:
--   n: [20, rows at most]

select
    stage, model, unit, finished_at, n_calls, n_failed, prompt_tokens, cached_tokens, completion_tokens, round(cost, 4) as cost
from spent()
order by cost desc nulls last, prompt_tokens desc nulls last, unit
limit $n;
