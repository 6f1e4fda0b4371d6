-- shows: In which battles did a judge contradict people?
-- parameters: {judge: ""}

select
    o.battle_id, o.captioner_a, o.captioner_b, o.people, o.outcome as judge, o.words_a, o.words_b, o.image_id,
    o.provenance
from arena_outcomes as o
where o.judge = $judge and o.people in ('a', 'b') and o.outcome in ('a', 'b') and o.people <> o.outcome
order by o.battle_id, o.protocol
limit 20;
