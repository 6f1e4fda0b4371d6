-- The texts of samples: options, place of the key (-1 without one), pairs of a name and a text, and JSON of models'
-- replies, null without any.
select i.options, i.key, i.fields, s.said
from {kind}_items as i
left join (
    select i, '[' || string_agg(said, ',' order by c) || ']' as said
    from {kind}_said
    where i >= {from} and i < {to}
    group by i
) as s on s.i = i.i
where i.i >= {from} and i.i < {to}
order by i.i
