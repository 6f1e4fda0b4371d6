-- shows: Which questions flip when the caption prompt changes?
-- about: "Gained: right under the second prompt only; lost: right under the first only; questions of most captioners
--     first."
-- parameters: {prompt: null}

with pairs as (
    select
        question_id, reader, provenance, captioner, repeat,
        bool_or(outcome = 'correct') filter (where prompt = 'Short') as before,
        bool_or(outcome = 'correct') filter (where prompt = coalesce($prompt, (from main_prompt))) as after
    from counted_answers
    where evidence = 'caption' and protocol = 'captionqa/upstream'
    group by all
),

flipped as (
    select
        question_id, reader, provenance, count(*) as captioners, count(*) filter (where not before and after) as gained,
        count(*) filter (where before and not after) as lost
    from pairs
    where before is not null and after is not null
    group by all
)

select f.gained, f.lost, f.captioners, q.domain, q.category, q.question, f.question_id, f.reader, f.provenance
from flipped as f
left join questions as q on q.question_id = f.question_id
where f.gained + f.lost > 0
order by f.gained + f.lost desc, f.question_id, f.reader
limit 20;
