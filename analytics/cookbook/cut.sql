-- recipe: cut
-- asks: Which captions ended at the limit of tokens?
-- parameters:
--   n: [20, rows at most]
-- no_rows: the demo's limit of tokens is far beyond what rehearsal captioners write

select captioner, prompt, image_id, words, tokens, right(caption, 60) as ending
from captions
where finish_reason = 'length'
order by captioner, prompt, image_id
limit $n;
