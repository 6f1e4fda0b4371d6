-- recipe: changed
-- asks: What changed since yesterday?
-- tells: "captionlake diff compares two executions of a unit, answer by answer"
-- first: 4
-- parameters:
--   hours: [24, how far back]
--   n: [50, rows at most]

select finished_at, stage, unit, execution, rows, provenance, tables, source
from runs
where current and finished_at > current_timestamp - to_hours($hours)
order by finished_at desc, unit
limit $n;
