-- shows: Which statements of the papers do their own tables not bear out?

select benchmark, section, statement, stated, recomputed, difference, tolerance
from published_claims
where not holds
order by benchmark, section, claim;
