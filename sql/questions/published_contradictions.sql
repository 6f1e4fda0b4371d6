-- shows: Where do published figures contradict each other?

select benchmark, check_name, item, model, domain, metric, printed, expected, difference, message
from published_audit
where kind = 'contradiction'
order by benchmark, check_name, item, model, domain;
