-- shows: Which captions ended at the limit of tokens?
-- no_demo: "the demo's limit of tokens is far beyond what rehearsal captioners write"

select captioner, prompt, image_id, words, tokens, right(caption, 60) as ending
from captions
where finish_reason = 'length'
order by captioner, prompt, image_id
limit 20;
