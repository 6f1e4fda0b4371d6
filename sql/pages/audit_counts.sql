-- shows: What the audit found
-- columns:
--   - {name: n, head: How many, decimals: 0}
--   - {name: what}

with found as (
    select 1 as place, count(*) as n, 'printed figures that contradict themselves or each other' as what from published_audit where kind = 'contradiction'
    union all
    select 2, count(*), 'printed figures whose words do not fit them' from published_audit where kind = 'wording'
    union all
    select 3, count(*), 'printed figures that are off by a rounding' from published_audit where kind = 'rounding'
    union all
    select 4, count(*), 'statements of the papers that their tables do not bear out' from published_claims where kind <> 'agreement'
    union all
    select 5, count(*), 'checks that questions of banks made here fail' from construct_checks where n_failed > 0
)

select n, what, case place when 5 then 'measured' else 'published' end as provenance
from found
where n > 0
order by place
