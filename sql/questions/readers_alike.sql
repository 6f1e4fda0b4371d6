-- shows: How often do two readers choose the same?
-- parameters: {reader: rehearsal-reader-careful, other: rehearsal-reader-eager}

select
    x.prompt, x.provenance, count(*) as questions,
    round(100 * avg(case when x.outcome = y.outcome and x.choice_index is not distinct from y.choice_index then 1 else 0 end), 1) as same,
    round(100 * avg(case when x.outcome = 'correct' then 1 else 0 end), 1) as right_a,
    round(100 * avg(case when y.outcome = 'correct' then 1 else 0 end), 1) as right_b
from counted_answers as x
join counted_answers as y using (protocol, evidence, provenance, captioner, prompt, question_id, repeat)
where x.evidence = 'caption' and x.protocol = 'captionqa/upstream' and x.reader = $reader and y.reader = $other
group by x.prompt, x.provenance
order by x.prompt, x.provenance;
