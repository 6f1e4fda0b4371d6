select
    'b ' || id as battle_id, text as image_id, 'a' as captioner_a, 'human' as captioner_b, text as caption_a, repeat(text || ' ', i % 9) as caption_b,
    (i % 4 + 1)::integer as level, i::integer as ordinal, 'caparena' as benchmark, provenance
from made
where i < 350
order by i
