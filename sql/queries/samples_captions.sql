-- The captions of the pictures of samples.
select image_id, captioner as who, prompt, caption as text, words, tokens, finish_reason as finish, provenance
from {kind}_captions
where image_id in (select image from {kind}_items where i >= {from} and i < {to})
order by image_id, captioner, prompt
