-- shows: Which replies could not be read?
-- no_demo: "rehearsal models answer in the form that is asked for, and none of their calls fails"

select stage, model, state, finish_reason, error, reply, subject, unit
from calls
where state <> 'ok' or (request_hash, repeat) in (select (request_hash, repeat) from counted_answers
    where outcome in ('unparsed', 'failed'))
order by stage, model, subject
limit 20;
