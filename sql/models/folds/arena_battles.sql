-- what: the battles of captions in numbers, without the texts of the captions
-- key: [unit, battle_id]
-- source: CapArena section 3.2 and section 5
-- fold: battles
-- checks: {rows: 1}
-- columns:
--   unit:
--   battle_id: [varchar, name of the battle]
--   benchmark: [varchar, {merge: max}, caparena or caparena-auto]
--   provenance:
--   image_id: [varchar, {merge: max}, "item that both captions describe: the cluster of standard errors"]
--   captioner_a: [varchar, {merge: max}, model_id that wrote the first caption; human for a person's]
--   captioner_b: [varchar, {merge: max}, model_id that wrote the second caption; human for a person's]
--   level: [integer, {merge: max}, 1..4, "published difficulty, 1 unequal captioners to 4 close ones; null when not
--       given"]
--   ordinal: [bigint, {merge: max}, "position in the file, from 0; sequential Elo depends on it"]
--   words_a: [bigint, words, {merge: max}, words of the first caption; null when its text is not given]
--   words_b: [bigint, words, {merge: max}, words of the second caption; null when its text is not given]
--   n_by_human: [integer, count, 0..1, "1 if a person wrote one of the captions: judges are ranked without such
--       battles"]

select
    unit, battle_id, benchmark, provenance, image_id, captioner_a, captioner_b, level, ordinal,
    nullif(words_of(caption_a), 0) as words_a, nullif(words_of(caption_b), 0) as words_b,
    case when 'human' in (captioner_a, captioner_b) then 1 else 0 end as n_by_human
from battles;

-- audit: two_captioners: a captioner cannot win against itself
select battle_id, captioner_a
from arena_battles
where captioner_a = captioner_b;
