-- shows: Runs
-- about: Runs of one stage that wrote rows of one kind to the same tables are one line. Times are UTC.
-- site: {page: provenance, nav: Provenance, title: Where each number comes from, place: 7}
-- columns:
--   - {name: written, head: Tables, page: facet}
--   - {name: stage, page: facet}
--   - {name: protocol}
--   - {name: made, head: Rows are, page: facet}
--   - {name: sources, head: From, prose: true}
--   - {name: n_runs, head: Runs, decimals: 0}
--   - {name: n_rows, head: Rows, decimals: 0}
--   - {name: first}
--   - {name: last}
--   - {name: tool_version, head: captionlake}
--   - {name: ids, head: Run ids, page: extra}

select
    array_to_string(tables, ', ') as written, stage, coalesce(protocol, '') as protocol, provenance as made,
    tool_version, count(*) as n_runs, sum(rows) as n_rows,
    array_to_string(list_slice(list_sort(list_distinct(list(source))), 1, 6), '; ') as sources,
    strftime(min(started_at) at time zone 'UTC', '%Y-%m-%d %H:%M') as first,
    strftime(max(finished_at) at time zone 'UTC', '%Y-%m-%d %H:%M') as last,
    array_to_string(list_slice(list_sort(list(run_id)), 1, 20), ' ') || case when count(*) > 20
        then ' and others in the table runs' else '' end as ids
from runs
group by tables, stage, protocol, provenance, tool_version
order by written, stage, protocol, made, tool_version
