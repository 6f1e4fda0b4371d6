-- shows: Which rows do not count, and why?
-- no_demo: "nothing in the demo was changed after it was used"

select table_name, cause, n_rows
from stale_rows
order by n_rows desc, table_name, cause;
