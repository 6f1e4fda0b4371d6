-- model: arena_beats
-- what: the chance that each captioner's caption is preferred to each other one's
-- grain: one row per benchmark, judge, protocol, provenance and ordered pair of captioners
-- key: [benchmark, judge, protocol, provenance, captioner_a, captioner_b]
-- inputs: [arena_outcomes, models]
-- source: "CapArena section 3.2: the model; the chances are beyond the paper"
-- columns:
--   benchmark: [varchar, [caparena, caparena-auto]]
--   judge: [varchar, "human for people; else the name of a metric or a model_id"]
--   protocol: [varchar, protocol of the votes]
--   provenance: [varchar, [published, measured, simulated]]
--   captioner_a: [varchar, model_id of one captioner; human for a person's captions]
--   captioner_b: [varchar, model_id of the other]
--   judge_name: [varchar, name of the judge to show to people]
--   captioner_a_name: [varchar, name of the one to show to people]
--   captioner_b_name: [varchar, name of the other to show to people]
--   n_battles: [bigint, count, 0.., "battles of the two, which need not have met: others join them"]
--   probability: [double, percent, 0..100, "chance that a wins, ties as half, by Bradley and Terry's model; null when the two cannot be
--       compared: arena_ratings says why"]
--   tie_probability: [double, percent, 0..100, "chance of a tie by Davidson's model; null where that has no estimate"]
--   share_above: [double, percent, 0..100, "share of the bootstrap samples of images in which a is rated above b, equal ratings as half"]
-- intervals:
--   probability: "given(0, 100); that of the difference of strengths, clustered by image, with effective images - 1 degrees of freedom"
-- compute: arena_beats

select
    benchmark, judge, protocol, provenance, 'judge' as outcomes, coalesce(j.name, judge) as judge_name, image_id, captioner_a, captioner_b,
    coalesce(a.name, captioner_a) as name_a, coalesce(b.name, captioner_b) as name_b, outcome, words_a, words_b, sampling_seed() as seed,
    greatest(bootstrap_samples(), 1000) as samples
from arena_outcomes
left join models as j on j.model_id = judge
left join models as a on a.model_id = captioner_a
left join models as b on b.model_id = captioner_b
where outcome is not null and (judge = 'human' or not by_human)
order by benchmark, judge, protocol, provenance, ordinal, battle_id;

-- audit: both_sides: the chances of a win and a loss, with ties as half of each, add up to 100
select x.benchmark, x.judge, x.protocol, x.provenance, x.captioner_a, x.captioner_b
from arena_beats as x
left join arena_beats as y
    on y.benchmark = x.benchmark and y.judge = x.judge and y.protocol = x.protocol and y.provenance = x.provenance
    and y.captioner_a = x.captioner_b and y.captioner_b = x.captioner_a
where y.captioner_a is null or abs(x.probability + y.probability - 100) > 0.000001 or (x.probability is null) <> (y.probability is null);
