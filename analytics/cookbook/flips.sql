-- recipe: flips
-- asks: Which questions flip when the caption prompt changes?
-- tells: "gained: right under the second prompt only; lost: right under the first only; questions of most captioners first"
-- parameters:
--   from: [Short, caption prompt]
--   to: [{sql: select m.prompt from main_prompt as m}, caption prompt]
--   captioner: ["", id of a captioner; all when empty]
--   reader: ["", id of a reader; all when empty]
--   protocol: [captionqa/upstream, how questions were put]
--   n: [20, rows at most]

with flipped as (
    select
        x.question_id, x.reader, x.provenance, count(*) as captioners,
        count(*) filter (where x.outcome <> 'correct' and y.outcome = 'correct') as gained,
        count(*) filter (where x.outcome = 'correct' and y.outcome <> 'correct') as lost
    from counted_answers as x
    inner join counted_answers as y using (protocol, reader, evidence, captioner, provenance, question_id, repeat)
    where x.evidence = 'caption' and x.prompt = $from and y.prompt = $to and x.protocol = $protocol
        and ($captioner = '' or x.captioner = $captioner) and ($reader = '' or x.reader = $reader)
    group by x.question_id, x.reader, x.provenance
)

select f.gained, f.lost, f.captioners, q.domain, q.category, q.question, f.question_id, f.reader, f.provenance
from flipped as f
left join questions as q on q.question_id = f.question_id
where f.gained + f.lost > 0
order by f.gained + f.lost desc, f.question_id, f.reader
limit $n;
