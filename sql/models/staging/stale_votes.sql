-- what: votes that count in no result, because the battle or the call that they came from is gone
-- key: [unit, battle_id, judge, protocol, position]
-- source: "captionlake; the macro counted_votes leaves these rows out. No provenance: the table votes has it"
-- fold: votes
-- columns:
--   unit:
--   battle_id: [varchar, battle voted on]
--   judge: [varchar, "people, the name of an annotator or a metric, or a model_id"]
--   protocol: [varchar, protocol of the vote]
--   position: [varchar, "ab, ba or empty"]
--   cause: [varchar, [battle, call], "battle: it is gone; call: the recorded call is gone"]

with causes as (
    select
        v.unit, v.battle_id, v.judge, v.protocol, v.position,
        case
            when not exists (select 1 from battles as b where b.battle_id = v.battle_id) then 'battle'
            when v.request_hash <> ''
                and not exists (select 1 from calls as r where call_key(r.request_hash) = call_key(v.request_hash))
                then 'call'
        end as cause
    from votes as v
)

select unit, battle_id, judge, protocol, position, cause
from causes
where cause is not null;
