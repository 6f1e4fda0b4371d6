select
    'capability' as benchmark, 'j' as judge, 'm' as captioner, 's ' || id as sample_id, 'style' as dimension, 'negative' as verdict,
    [text, 'N/A'] as predicted, request_hash, caption_digest, provenance
from made
order by i
