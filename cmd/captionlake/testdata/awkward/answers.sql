select
    'captionqa/upstream' as protocol, 'r' as reader, 'caption' as evidence, 'm ' || text_7 as captioner,
    ['Long', 'Short', 'Simple', 'Taxonomy-Hinted'][i % 4 + 1] as prompt, 'q ' || text || id as question_id, repeat::integer as repeat,
    'i ' || text_3 as image_id, 'Natural' as domain, text_3 as category, (i % 19 + 2)::integer as options, true as offers_cannot,
    if(repeat = 0, 'cannot', 'correct') as outcome, ['cannot', 'correct', 'incorrect', 'unparsed'][i % 4 + 1] as strict_outcome,
    if(repeat = 0, 1 / (i % 19 + 2)::double + 0.05::double, 1) as score, request_hash, caption_digest, provenance
from made, range(2) as n (repeat)
order by i, repeat
