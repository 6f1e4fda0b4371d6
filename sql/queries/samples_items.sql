-- The samples, with marks: for each condition that tried one, three digits of the condition's number in base 36, a
-- digit for the outcome and a letter for the option chosen, or a dash. The marks are in no order: to put millions of
-- them into one takes more memory than all else.
select i.id, i.image, i.facets, i.title, coalesce(m.marks, '') as marks
from {kind}_items as i
left join (
    select
        i,
        string_agg(lower(to_base(c, 36, 3)) || outcome || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZ-?', choice + 1, 1), '')
            as marks
    from {kind}_tried
    group by i
) as m on m.i = i.i
order by i.i
