-- what: the answers that count in results. They are the table answers without the rows that stale_answers lists
-- example: select reader, prompt, outcome, count(*) from counted_answers group by all
-- like: answers

select x.*
from answers as x
where not exists (
    select 1
    from stale_answers as s
    where s.unit = x.unit and s.protocol = x.protocol and s.reader = x.reader and s.evidence = x.evidence
        and s.captioner = x.captioner and s.prompt = x.prompt and s.question_id = x.question_id and s.repeat = x.repeat
);
