select
    lpad((i * 10)::varchar, 12, '0') || lpad((i * 10)::varchar, 36, '0') as request_hash, 'answer' as stage,
    ['captionqa/1', 'construct/generate/1', 'construct/blind/1', 'caparena/battle'][i % 4 + 1] as protocol, 'm' as model,
    text || [' ab', ' ba', '/x' || chr(10) || 'y', ' ab' || chr(10)][i % 4 + 1] as subject, if(i % 7 = 6, 'failed', 'ok') as state,
    i::bigint as prompt_tokens, i::double * 1.0005::double as latency_ms, make_timestamp(1700000000999999 + i * 777777) as finished_at, provenance
from made
order by i
