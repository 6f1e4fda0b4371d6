-- what: every vote as counts of 0 and 1, with counts for the reasons that exclude a vote from results
-- key: [unit, battle_id, judge, protocol, position]
-- source: CapArena section 3.2 and appendix E
-- fold: votes
-- checks: {rows: 1}
-- columns:
--   unit:
--   battle_id: [varchar, battle voted on]
--   judge: [varchar, "people for published votes of people, the name of an annotator or a metric, or a model_id"]
--   protocol: [varchar, "caparena/vote by people, caparena/metric by metrics, caparena/battle and
--       caparena/battle-reference by models"]
--   position: [varchar, [ab, ba, ""], "ab: caption a was shown first, ba: caption b was; empty when not known"]
--   judge_type: [varchar, {merge: max}, [human, metric, model]]
--   provenance:
--   image_id: [varchar, {merge: max}, item of the battle]
--   n_a: [integer, count, 0..1, 1 if the first caption won]
--   n_b: [integer, count, 0..1, 1 if the second caption won]
--   n_tie: [integer, count, 0..1, 1 for a tie]
--   n_skipped: [integer, count, 0..1, 1 if an annotator passed the battle over]
--   n_unparsed: [integer, count, 0..1, 1 if the reply cannot be read]
--   n_failed: [integer, count, 0..1, 1 if there is no reply or no score]
--   n_fast: [integer, count, 0..1, "1 if a person decided in under five seconds: set aside (appendix E)"]
--   n_first: [integer, count, 0..1, "1 if the caption that was shown first won"]
--   n_unknown: [integer, count, 0..1, 1 if the winner is unknown]
--   score_a: ["decimal(38,12)", {merge: max}, "a metric's score of the first caption; null for others. Twelve digits
--       after the point: what differs by less is rounding"]
--   score_b: ["decimal(38,12)", {merge: max}, a metric's score of the second caption]
--   milliseconds: [bigint, milliseconds, {merge: max}, time that a person took; null when not known]
--   voted_at: [bigint, {merge: max}, microseconds since 1970 when the vote was cast; null when not known]
--   call: [varchar, {merge: max}, start of the request hash of the call that was parsed; empty without a call]

select
    unit, battle_id, judge, protocol, position, judge_type, provenance, image_id,
    case when winner = 'a' then 1 else 0 end as n_a, case when winner = 'b' then 1 else 0 end as n_b,
    case when winner = 'tie' then 1 else 0 end as n_tie, case when winner = 'skipped' then 1 else 0 end as n_skipped,
    case when winner = 'unparsed' then 1 else 0 end as n_unparsed,
        case when winner = 'failed' then 1 else 0 end as n_failed,
    case when judge_type = 'human' and seconds < 5 and winner in ('a', 'b', 'tie') then 1 else 0 end as n_fast,
    case when position = 'ab' and winner = 'a' or position = 'ba' and winner = 'b' then 1 else 0 end as n_first,
    case when winner in ('a', 'b', 'tie', 'skipped', 'unparsed', 'failed') then 0 else 1 end as n_unknown,
    exact_twelve(score_a) as score_a, exact_twelve(score_b) as score_b,
    cast(round(seconds * 1000, 0) as bigint) as milliseconds, micros_of(voted_at) as voted_at,
    call_key(request_hash) as call
from counted_votes();

-- audit: every_vote_counted: another winner would vanish from the results
select battle_id, judge, protocol
from arena_votes
where n_unknown > 0;
