-- what: repetitions that do not have all questions of the first repetition in a domain. They count in no result until
--     they have them
-- key: [condition_id, domain, repeat]
-- source: "captionlake: in a mean over answers, the questions of an interrupted repetition would have more weight than
--     other questions. No provenance: the condition has it"
-- columns:
--   condition_id, domain:
--   repeat: [integer, 1.., number of the repetition]
--   n_answers: [bigint, count, 1.., answers that it has]
--   n_first: [bigint, count, 1.., answers that the first repetition has]

with repeated as (
    select distinct condition_id
    from captionqa_images
    where repeat > 0
),

sets as (
    select condition_id, domain, repeat, sum(n_answers) as n_answers, sum(question_set) as question_set
    from captionqa_images
    where level = 'domain' and condition_id in (select condition_id from repeated)
    group by condition_id, domain, repeat
),

firsts as (
    select condition_id, domain, min(repeat) as repeat
    from sets
    group by condition_id, domain
)

select s.condition_id, s.domain, s.repeat, s.n_answers, o.n_answers as n_first
from sets as s
inner join firsts as f on f.condition_id = s.condition_id and f.domain = s.domain
inner join sets as o on o.condition_id = f.condition_id and o.domain = f.domain and o.repeat = f.repeat
where s.question_set <> o.question_set;
