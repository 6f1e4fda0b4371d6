-- what: "the reader and protocol that tables, figures and pages show, one for each provenance, where they do not
--     compare readers: the published protocol before others, then the reader with most results, or the reader and
--     protocol that a report asks for"
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
