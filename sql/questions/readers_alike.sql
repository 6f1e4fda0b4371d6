-- shows: How often do two readers choose the same?
-- parameters: {reader: "", other: ""}

with pairs as (
    select
        prompt, provenance, captioner, question_id, repeat, count(distinct (outcome, choice_index)) = 1 as same,
        bool_or(outcome = 'correct') filter (where reader = $reader) as right_a,
        bool_or(outcome = 'correct') filter (where reader = $other) as right_b
    from counted_answers
    where evidence = 'caption' and protocol = 'captionqa/upstream' and reader in ($reader, $other)
    group by all
    having right_a is not null and right_b is not null
)

select
    prompt, provenance, count(*) as questions, round(100 * avg(same::integer), 1) as same,
    round(100 * avg(right_a::integer), 1) as right_a,
    round(100 * avg(right_b::integer), 1) as right_b
from pairs
group by prompt, provenance
order by prompt, provenance;
