-- Under what samples were tried, in the order of their numbers: the id of the model and its name, the reader or
-- judge, prompt, protocol, form (of questions the evidence, of elements caption or question, of battles the order of
-- the captions), repetition and provenance. A page shows those first that most models share; measured ones come
-- before others, and the prompt of the papers' main tables before others.
with grouped as (
    select *, row(reader, prompt, protocol, evidence, repeat, provenance) as part
    from {kind}_conditions
),

counted as (
    select *, sum(if(provenance = 'measured', 1000001, 1) + if(prompt = 'Simple', 1, 0)) over (partition by part) as n
    from grouped
)

select
    captioner as who, name, reader as "by", prompt, protocol, evidence as form, repeat, provenance,
    part is not distinct from first_value(part) over (order by n desc, c) as main
from counted
order by c
