-- shows: Does a reader say yes too often?

select
    a.reader, a.provenance, count(*) as answers,
    round(100 * avg(case when lower(q.options[q.answer_index + 1]) like 'yes%' then 1 else 0 end), 1) as is_yes,
    round(100 * avg(case when lower(q.options[a.choice_index + 1]) like 'yes%' then 1 else 0 end), 1) as says_yes
from counted_answers as a
join questions as q using (question_id)
where q.yes_no and a.evidence = 'caption' and a.protocol = 'captionqa/upstream' and a.choice_index is not null
group by a.reader, a.provenance
order by a.reader, a.provenance;
