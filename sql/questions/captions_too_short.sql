-- shows: Which captions are too short to answer from?
-- parameters: {prompt: null}

select
    c.captioner, c.prompt, c.words, a.reader, a.provenance, count(*) as questions,
    round(100 * avg((a.outcome = 'cannot')::int), 1) as cannot,
    c.image_id, c.caption
from captions as c
join counted_answers as a on a.image_id = c.image_id and a.captioner = c.captioner and a.prompt = c.prompt
    and a.evidence = 'caption'
where c.prompt = coalesce($prompt, (from main_prompt)) and a.protocol = 'captionqa/upstream'
group by all
having cannot >= 50
order by cannot desc, c.words, c.captioner, c.image_id, a.reader
limit 20;
