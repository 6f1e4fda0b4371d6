select
    'capability' as benchmark, 'm' as model, 's ' || id as sample_id, 'style' as dimension, 'correct' as outcome, request_hash,
    caption_digest as value_digest, provenance
from made
order by i
