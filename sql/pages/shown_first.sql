-- shows: Which reader and question bank are shown, where there are several
-- about: Of each kind of rows the first one is shown wherever readers, protocols or banks are not compared.
-- reads: [captionqa_scores, dataset_statistics]
-- all: true
-- columns:
--   - {name: protocol}
--   - {name: reader}
--   - {name: bank, head: Question bank}
--   - {name: n, head: Results or questions, decimals: 0}

with found as (
    select provenance, protocol, reader, null as bank, count(*) as n
    from captionqa_scores
    where level = 'domain'
    group by provenance, protocol, reader
    union all
    select provenance, null, null, bank, max(questions)
    from dataset_statistics
    group by provenance, bank
)

select *
from found
order by provenance, bank nulls first, protocol <> 'captionqa/upstream', n desc, protocol, reader
