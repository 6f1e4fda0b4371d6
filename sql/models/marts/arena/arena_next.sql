-- what: which pair of captioners to ask the next vote for; judged by people
-- key: [benchmark, judge, protocol, provenance, captioner_a, captioner_b]
-- source: "CapArena section 3.2: a pair is drawn with a probability in proportion to the expected reduction of its
--     interval"
-- compute: arena_next
-- columns:
--   benchmark: [varchar, [caparena, caparena-auto]]
--   judge: [varchar, people for all people]
--   protocol: [varchar, protocol of the votes]
--   provenance:
--   captioner_a: [varchar, "model_id of one captioner, the first in the alphabet; human for a person's captions"]
--   captioner_b: [varchar, model_id of the other]
--   captioner_a_name: [varchar, name of the one to show to people]
--   captioner_b_name: [varchar, name of the other to show to people]
--   n_battles: [bigint, count, 0.., battles of the two with an outcome]
--   win_share: [double, percent, 0..100, "a's wins and half of the ties, with half a win of each added to the battles,
--       so that every pair has some variance"]
--   width: [double, points, 0.., "of the 95% interval of that share: 2 · 1.96 · √(variance / (n + 1))"]
--   reduction: [double, points, 0.., "by how much one vote more is expected to reduce the standard error: √(variance /
--       (n + 1)) - √(variance / (n + 2))"]
--   probability: [double, percent, 0..100, "with which the pair is to be drawn: the reduction as a share of all pairs'
--       reductions"]

select
    benchmark, judge, protocol, provenance, 'judge' as outcomes, model_name(judge) as judge_name, image_id, captioner_a,
    captioner_b,
    model_name(captioner_a) as name_a, model_name(captioner_b) as name_b, outcome, words_a, words_b, 0 as seed,
    0 as samples
from arena_outcomes
where judge = 'people'
order by benchmark, judge, protocol, provenance, ordinal, battle_id;

-- audit: probabilities: something is drawn
select benchmark, judge, protocol, provenance, sum(probability) as probability
from arena_next
group by benchmark, judge, protocol, provenance
having abs(sum(probability) - 100) > 0.000001;
