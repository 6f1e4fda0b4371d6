select
    'capability' as benchmark, 's ' || id as sample_id, 'style' as dimension, 'global' as view, 'image' as media_type, text as media,
    'v ' || text as value
from made
where i < 300
order by i
