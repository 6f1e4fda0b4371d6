-- what: "the boards that tables, figures and pages show, one of each section: boards of the reader and protocol of
--     shown_readers, or of the judge with most rows. Of these the paper's board comes first, and otherwise the board
--     with most captioners"
-- example: select board, captioner from shown_boards where benchmark = 'captionqa' and prompt = 'Simple'
-- like: boards

with judges as (
    select benchmark, provenance, protocol, judge, repeat, count(*) as n
    from boards
    group by benchmark, provenance, protocol, judge, repeat
),

shown as (
    select benchmark, provenance, protocol, judge, repeat
    from judges
    qualify row_number() over (
        partition by benchmark, provenance
        order by
            protocol <> coalesce(getvariable('shown_protocol'), 'captionqa/upstream'),
            judge <> coalesce(getvariable('shown_reader'), judge),
            judge <> 'people', repeat, n desc, protocol, judge
    ) = 1
)

select b.*
from boards as b
semi join shown as s using (benchmark, provenance, protocol, judge, repeat)
where b.is_first;
