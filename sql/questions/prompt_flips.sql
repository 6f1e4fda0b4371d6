-- shows: Which questions flip when the caption prompt changes?
-- about: "Gained: right under the second prompt only; lost: right under the first only; questions of most captioners first."
-- parameters: {prompt: null}

with flipped as (
    select
        x.question_id, x.reader, x.provenance, count(*) as captioners,
        count(*) filter (where x.outcome <> 'correct' and y.outcome = 'correct') as gained,
        count(*) filter (where x.outcome = 'correct' and y.outcome <> 'correct') as lost
    from counted_answers as x
    inner join counted_answers as y using (protocol, reader, evidence, captioner, provenance, question_id, repeat)
    where x.evidence = 'caption'
        and x.prompt = 'Short' and y.prompt = coalesce($prompt, (from main_prompt)) and x.protocol = 'captionqa/upstream'
    group by x.question_id, x.reader, x.provenance
)

select f.gained, f.lost, f.captioners, q.domain, q.category, q.question, f.question_id, f.reader, f.provenance
from flipped as f
left join questions as q on q.question_id = f.question_id
where f.gained + f.lost > 0
order by f.gained + f.lost desc, f.question_id, f.reader
limit 20;
