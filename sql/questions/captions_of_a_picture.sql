-- shows: What do the captions of one picture say?
-- parameters: {image: doc_s01}

select captioner, prompt, words, finish_reason, caption
from captions
where image_id = $image
order by prompt, captioner;
