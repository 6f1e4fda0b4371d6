-- what: the outcomes of the same replies by the published parser and by our strict parser, added up by image
-- key: [unit, reader, evidence, captioner, prompt, provenance, image_id]
-- source: a step towards parser_agreement; beyond the paper
-- fold: answers
-- columns:
--   unit, reader, evidence:
--   captioner: [varchar, model_id of the captioner; under evidence image of the model that looked; empty under evidence
--       none]
--   prompt, provenance, image_id:
--   n_replies: [bigint, count, 1.., replies that both parsers have read]
--   n_agree: [bigint, count, both parsers find the same choice]
--   n_differ: [bigint, count, 0.., "both find a choice, and not the same"]
--   n_only_upstream: [bigint, count, only the published parser finds a choice]
--   n_only_strict: [bigint, count, only the strict parser finds a choice]
--   n_neither: [bigint, count, "neither finds a choice, failed calls included"]
--   correct_upstream: [bigint, count, replies whose choice is the key by the published parser]
--   correct_strict: [bigint, count, the same by the strict parser]
--   score_upstream: [bigint, parts, sum of the scores by the published parser in parts of 1/232792560]
--   score_strict: [bigint, parts, the same by the strict parser]

with read as (
    select
        *, outcome in ('correct', 'incorrect', 'cannot') as by_upstream,
            strict_outcome in ('correct', 'incorrect', 'cannot') as by_strict,
        outcome = strict_outcome and coalesce(choice_index, -1) = coalesce(strict_choice_index, -1) as same
    from counted_answers()
    where strict_outcome is not null
)

select
    unit, reader, evidence, captioner, prompt, provenance, image_id, count(*) as n_replies,
    count(*) filter (where by_upstream and by_strict and same) as n_agree,
    count(*) filter (where by_upstream and by_strict and not same) as n_differ,
    count(*) filter (where by_upstream and not by_strict) as n_only_upstream,
    count(*) filter (where by_strict and not by_upstream) as n_only_strict,
    count(*) filter (where not by_strict and not by_upstream) as n_neither,
    count(*) filter (where outcome = 'correct') as correct_upstream,
    count(*) filter (where strict_outcome = 'correct') as correct_strict,
    sum(outcome_parts(outcome, options)) as score_upstream, sum(outcome_parts(strict_outcome, options)) as score_strict
from read
group by unit, reader, evidence, captioner, prompt, provenance, image_id;
