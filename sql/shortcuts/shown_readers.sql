-- what: the reader and protocol that tables, figures and pages show for each provenance, unless they compare readers. A
--     report can ask for a reader and a protocol; otherwise the published protocol comes first, and then the reader
--     with most results
-- example: select s.* from captionqa_scores as s semi join shown_readers using (protocol, reader, provenance)
-- columns:
--   provenance, protocol, reader:

select b.provenance, b.protocol, b.judge as reader
from boards as b
where b.benchmark = 'captionqa'
group by b.provenance, b.protocol, b.judge
qualify row_number() over (
    partition by b.provenance
    order by
        b.protocol <> coalesce(getvariable('shown_protocol'), 'captionqa/upstream'),
        b.judge <> coalesce(getvariable('shown_reader'), b.judge),
        count(*) desc, b.protocol, b.judge
) = 1;
