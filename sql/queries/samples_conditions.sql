-- The conditions under which samples were tried, in the order of their numbers: the id of the model and its name, the
-- reader or judge, prompt, protocol, form, repetition and provenance. The form is the evidence of questions, caption or
-- question for elements, and the order of the captions for battles. A page first shows the conditions that most models
-- share; measured conditions come before others, and the prompt of the papers' main tables before others.
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
