-- recipe: contradictions
-- asks: Where do published figures contradict each other?
-- parameters:
--   kind: [contradiction, "contradiction, rounding or wording"]

select benchmark, check_name, item, model, domain, metric, printed, expected, difference, message
from published_audit
where kind = $kind
order by benchmark, check_name, item, model, domain;
