select
    'i ' || id as image_id, 'm' as captioner, text as prompt, 'd' as domain, next_text as caption, i::integer as words, i::integer as tokens,
    request_hash, provenance
from made
order by i
