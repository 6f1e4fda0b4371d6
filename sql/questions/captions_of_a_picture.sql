-- shows: What do the captions of one picture say?
-- parameters: {image: ""}

select captioner, prompt, words, finish_reason, caption
from captions
where image_id = $image
order by prompt, captioner;
