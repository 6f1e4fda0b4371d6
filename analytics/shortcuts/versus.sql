-- shortcut: versus
-- parameters: [a, b]
-- what: the questions that one of two captioners, by their ids or names, gets right and the other does not, asked alike
-- example: select question, answer, winner, choice_a, choice_b, caption_a, caption_b from versus('gpt-5', 'gpt-4o')
-- reads: [answers, questions, captions, images, models, stale_answers]
-- columns:
--   protocol: how the question was put, parsed and scored
--   reader: id of the model that answered
--   prompt: caption prompt
--   provenance: measured, published or simulated
--   domain: domain of the item
--   category: first taxonomy level of the question
--   image_id: item of the question
--   picture: file of the first frame of the item, relative to the folder of the lake; null when the lake does not have it
--   question_id: question answered
--   repeat: number of the repetition, from 0
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
        coalesce((select min(m.model_id) from models as m where lower(a) in (lower(m.model_id), lower(m.name))), a) as first,
        coalesce((select min(m.model_id) from models as m where lower(b) in (lower(m.model_id), lower(m.name))), b) as second
),

counted as (
    select a.*
    from (
    {answers}
    ) as a
    where a.evidence = 'caption' and a.captioner in (select first from named union all select second from named)
)

select
    x.protocol, x.reader, x.prompt, x.provenance, x.domain, x.category, x.image_id, nullif(i.path, '') as picture, x.question_id, x.repeat,
    q.question, q.options[q.answer_index + 1] as answer,
    case when x.outcome = 'correct' then x.captioner else y.captioner end as winner,
    x.outcome as outcome_a, y.outcome as outcome_b,
    q.options[x.choice_index + 1] as choice_a, q.options[y.choice_index + 1] as choice_b,
    c.caption as caption_a, d.caption as caption_b
from named as n
inner join counted as x on x.captioner = n.first
inner join counted as y
    on y.captioner = n.second and y.protocol = x.protocol and y.reader = x.reader and y.prompt = x.prompt and y.provenance = x.provenance
    and y.question_id = x.question_id and y.repeat = x.repeat
left join questions as q on q.question_id = x.question_id
left join captions as c on c.image_id = x.image_id and c.captioner = x.captioner and c.prompt = x.prompt
left join captions as d on d.image_id = x.image_id and d.captioner = y.captioner and d.prompt = x.prompt
left join images as i on i.image_id = x.image_id and i.frame = 0
where (x.outcome = 'correct') <> (y.outcome = 'correct')
order by x.protocol, x.reader, x.prompt, x.provenance, x.domain, x.question_id, x.repeat;
