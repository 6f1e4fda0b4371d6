-- Under what samples were tried, in the order of their numbers: the id of the model and its name, the reader or judge, prompt, protocol, form
-- (of questions the evidence, of elements caption or question, of battles the order of the captions), repetition and provenance.
select captioner as who, name, reader as "by", prompt, protocol, evidence as form, repeat, provenance
from {kind}_conditions
order by c
