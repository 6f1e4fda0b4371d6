-- shows: Which rows do not count, and why?
-- no_demo: "nothing in the demo was changed after it was used"

select table_name, cause, count(*) as n_rows
from (
    select 'answers' as table_name, cause from stale_answers
    union all select 'captions', cause from stale_captions
    union all select 'judgments', cause from stale_judgments
    union all select 'element_answers', cause from stale_element_answers
    union all select 'votes', cause from stale_votes
)
group by table_name, cause
order by n_rows desc, table_name, cause;
