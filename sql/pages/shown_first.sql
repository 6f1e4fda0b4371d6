-- shows: Which reader and question bank are shown, where there are several
-- about: Where readers, protocols or banks are not compared, tables, figures and pages show one of each.
-- columns:
--   - {name: protocol}
--   - {name: reader}
--   - {name: bank, head: Question bank}
--   - {name: n, head: Results or questions, decimals: 0}
--   - {name: is_shown, head: Shown}

select
    b.provenance, b.protocol, b.judge as reader, null as bank, count(*) as n,
    if((b.protocol, b.judge, b.provenance) in (select (protocol, reader, provenance) from shown_readers), 'yes',
        'no') as is_shown
from boards as b
where b.benchmark = 'captionqa'
group by b.provenance, b.protocol, b.judge
union all by name
select d.provenance, d.bank, sum(d.questions) as n,
    if((d.bank, d.provenance) in (select (bank, provenance) from shown_banks), 'yes', 'no') as is_shown
from dataset_statistics as d
where d.domain <> 'Total'
group by d.provenance, d.bank
order by provenance, bank nulls first, is_shown desc, n desc, protocol, reader
