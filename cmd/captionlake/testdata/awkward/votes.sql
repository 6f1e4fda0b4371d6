-- Scores are halves of the last digit that is kept, a little less and more, and numbers with more digits than a double has.
select
    'b ' || if(i % 2 = 0, i::varchar, id) as battle_id, if(i % 2 = 0, 'p', 'metric') as judge, if(i % 2 = 0, 'human', 'metric') as judge_type,
    if(i % 2 = 0, 'caparena/vote', 'caparena/metric') as protocol, if(i % 2 = 0, 'ab', '') as position, if(i % 2 = 0, 'tie', 'a') as winner,
    if(i % 2 = 0, null, [i::double / 3, i::double * 1e-12 + 0.5e-12, 1234.567890123456::double + i, -i::double * 0.1::double,
        97.0000000000005::double + i][i % 5 + 1]) as score_a,
    if(i % 2 = 0, i::double * 0.0005::double + 4.9995::double, null) as seconds,
    if(i % 2 = 0, make_timestamp(1700000000000001 + i), null) as voted_at, if(i % 2 = 0, request_hash, '') as request_hash, provenance
from made
order by i
