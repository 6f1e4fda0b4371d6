-- shows: What changed since yesterday?

select finished_at, stage, unit, execution, rows, provenance, tables, source
from runs
where current and finished_at > current_timestamp - to_hours(24)
order by finished_at desc, unit
limit 50;
