-- recipe: too-short
-- asks: Which captions are too short to answer from?
-- first: 5
-- parameters:
--   percent: [50, least share of questions that the reader cannot answer]
--   prompt: [{sql: select m.prompt from main_prompt as m}, caption prompt]
--   reader: ["", id of a reader; all when empty]
--   protocol: [captionqa/upstream, how questions were put]
--   n: [20, rows at most]

select
    c.captioner, c.prompt, c.words, a.reader, a.provenance, count(*) as questions, round(100 * avg(case when a.outcome = 'cannot' then 1 else 0 end), 1) as cannot,
    c.image_id, c.caption
from captions as c
join counted_answers as a on a.image_id = c.image_id and a.captioner = c.captioner and a.prompt = c.prompt and a.evidence = 'caption'
where c.prompt = $prompt and a.protocol = $protocol and ($reader = '' or a.reader = $reader)
group by all
having cannot >= $percent
order by cannot desc, c.words, c.captioner, c.image_id, a.reader
limit $n;
