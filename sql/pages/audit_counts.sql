-- shows: What the audit found
-- site: {page: audit, nav: Audit, title: The audit, place: 5}
-- columns:
--   - {name: n, head: How many, decimals: 0}
--   - {name: what}

with found as (
    select
        list_position(['contradiction', 'wording', 'rounding'], kind) as place, count(*) as n, 'printed figure' || case
            when kind = 'contradiction'
                then if(n = 1, ' that contradicts itself or another', 's that contradict themselves or each other')
            when kind = 'wording' then if(n = 1, ' with words that do not fit it', 's with words that do not fit them')
            else if(n = 1, ' that is', 's that are') || ' off by a rounding'
        end as what
    from published_audit
    group by kind
    union all
    select 4, count(*) as n, if(n = 1, 'statement', 'statements') || ' of the papers that their tables do not bear out'
    from published_claims where kind <> 'agreement'
    union all
    select
        5, count(*) filter (where n_failed > 0) as n,
        if(n = 1, 'check', 'checks') || ' that questions of banks made here fail'
    from construct_checks having count(*) > 0
)

select n, what, case place when 5 then 'measured' else 'published' end as provenance
from found
where n > 0 or place = 5
order by place
