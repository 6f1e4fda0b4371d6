-- what: how many rows count in no result, because what they came from is gone or has changed
-- key: [table_name, cause]
-- source: "captionlake; analyze and status show these counts. No provenance: the rows that it counts have it in their tables"
-- columns:
--   table_name: [varchar, table that holds the rows]
--   cause: [varchar, "what is gone or has changed: annotation, battle, call, caption or question"]
--   n_rows: [bigint, count, 1.., rows that do not count]

with every_row as (
    select 'answers' as table_name, cause from stale_answers
    union all
    select 'captions' as table_name, cause from stale_captions
    union all
    select 'judgments' as table_name, cause from stale_judgments
    union all
    select 'element_answers' as table_name, cause from stale_element_answers
    union all
    select 'votes' as table_name, cause from stale_votes
)

select
    table_name, cause,
    count(*) as n_rows
from every_row
group by table_name, cause;
