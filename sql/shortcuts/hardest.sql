-- macro: [n]
-- what: the n questions that are answered from the captions of the fewest captioners, under the conditions that most
--     rows of the leaderboard have
-- example: select question, answer, n_correct, n_models, picture from hardest(20)
-- columns:
--   protocol, reader, prompt:
--   provenance: measured or published before simulated; then protocol, reader and prompt with the most rows of
--     leaderboard, Simple first
--   domain, category, image_id:
--   picture: file of the first frame of the item, relative to the folder of the lake; null when the lake lacks it
--   question_id:
--   question: text of the question; null without a bank
--   options: options in bank order, without the cannot option; null without a bank
--   answer: text of the option that is right; null without a bank
--   n_models: captioners that the question was answered for
--   n_correct: of them, correctly
--   share_correct: n_correct as a share of n_models, in percent; equal shares are in the order of question_id

with best as (
    select d.protocol, d.reader, d.prompt, d.provenance
    from (select protocol, reader, prompt, provenance, max(n_models) as most from question_difficulty group by all) as d
    left join (select protocol, reader, prompt, count(*) as n_rows from leaderboard group by all) as l
        on l.protocol = d.protocol and l.reader = d.reader and l.prompt = d.prompt
    order by
        d.provenance = 'simulated', coalesce(l.n_rows, 0) desc, d.prompt <> 'Simple', d.most desc, d.protocol, d.reader,
        d.prompt, d.provenance
    limit 1
)

select
    h.protocol, h.reader, h.prompt, h.provenance, h.domain, h.category, h.image_id, nullif(i.path, '') as picture,
    h.question_id,
    q.question, q.options, q.options[q.answer_index + 1] as answer, h.n_models, h.n_correct, h.share_correct
from question_difficulty as h
left join questions as q on q.question_id = h.question_id
left join images as i on i.image_id = h.image_id and i.frame = 0
where (h.protocol, h.reader, h.prompt, h.provenance) in (select (protocol, reader, prompt, provenance) from best)
order by h.share_correct, h.question_id
limit n;
