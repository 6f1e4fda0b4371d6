-- macro: [a, b]
-- what: the questions that only one of two captioners gets right, both asked under the same conditions; the captioners
--     are given by their ids or names
-- example: select question, answer, winner, choice_a, choice_b, caption_a, caption_b from versus('gpt-5', 'gpt-4o')
-- columns:
--   protocol, reader, prompt, provenance, domain, category, image_id:
--   picture: file of the first frame of the item, relative to the folder of the lake; null when the lake does not have
--     it
--   question_id, repeat:
--   question: text of the question; null without a bank
--   answer: text of the option that is right; null without a bank
--   winner: id of the captioner from whose caption the question was answered correctly
--   outcome_a: "outcome from the caption of the first: correct, incorrect, cannot, unparsed or failed"
--   outcome_b: the same of the second
--   choice_a: text of the option chosen from the caption of the first; null unless one was
--   choice_b: the same of the second
--   caption_a: caption of the first; null when the lake does not have it
--   caption_b: caption of the second

with named as (
    select
        coalesce((select min(m.model_id) from models as m where lower(a) in (lower(m.model_id), lower(m.name))),
            a) as first,
        coalesce((select min(m.model_id) from models as m where lower(b) in (lower(m.model_id), lower(m.name))),
            b) as second
),

found as (
    select
        n.name, bool_or(x.captioner = n.name) as is_there,
        arg_min(x.captioner, damerau_levenshtein(lower(x.captioner), lower(n.name))) as nearest
    from (select first as name from named union select second from named) as n
    cross join (select distinct y.captioner from answers as y where y.evidence = 'caption') as x
    group by n.name
),

known as (
    select bool_and(case
        when f.name is null or f.is_there then true
        else error(format('the lake has no answers about captions of {}; nearest: {}', f.name, f.nearest))
    end) as is_known
    from found as f
),

counted as (
    select a.*
    from (
    {answers}
    ) as a
    where a.evidence = 'caption' and a.captioner in (select first from named union all select second from named)
),

both_asked as (
    select
        c.protocol, c.reader, c.prompt, c.provenance, c.image_id, c.question_id, c.repeat, n.first, n.second,
        max(c.domain) filter (where c.captioner = n.first) as domain,
        max(c.category) filter (where c.captioner = n.first) as category,
        max(c.outcome) filter (where c.captioner = n.first) as outcome_a,
        max(c.outcome) filter (where c.captioner = n.second) as outcome_b,
        max(c.choice_index) filter (where c.captioner = n.first) as choice_a,
        max(c.choice_index) filter (where c.captioner = n.second) as choice_b
    from counted as c
    cross join named as n
    group by all
    having (outcome_a = 'correct') <> (outcome_b = 'correct')
)

select
    x.protocol, x.reader, x.prompt, x.provenance, x.domain, x.category, x.image_id, nullif(i.path, '') as picture,
    x.question_id, x.repeat,
    q.question, q.options[q.answer_index + 1] as answer,
    case when x.outcome_a = 'correct' then x.first else x.second end as winner,
    x.outcome_a, x.outcome_b, q.options[x.choice_a + 1] as choice_a, q.options[x.choice_b + 1] as choice_b,
    c.caption as caption_a,
    d.caption as caption_b
from both_asked as x
left join questions as q on q.question_id = x.question_id
left join captions as c on c.image_id = x.image_id and c.captioner = x.first and c.prompt = x.prompt
left join captions as d on d.image_id = x.image_id and d.captioner = x.second and d.prompt = x.prompt
left join images as i on i.image_id = x.image_id and i.frame = 0
where (select is_known from known)
order by x.protocol, x.reader, x.prompt, x.provenance, x.domain, x.question_id, x.repeat;
