-- shows: Published figures that contradict themselves or each other
-- asks: Where do published figures contradict each other?
-- paper: CaptionQA, CAPability, CV-CapBench and CapArena, all tables
-- columns:
--   - {name: item, head: Where}
--   - {name: domain}
--   - {name: category}
--   - {name: message, head: Finding, prose: true}

select *, upper(left(kind, 1)) || substr(kind, 2) || ', ' || benchmark || ': '
    || replace(check_name, '_', ' ') as section
from published_audit
order by
    list_position(['contradiction', 'wording', 'rounding', 'agreement'], kind), benchmark, check_name, item,
    coalesce(domain, ''),
    coalesce(category, ''), coalesce(model, ''), coalesce(metric, '')
