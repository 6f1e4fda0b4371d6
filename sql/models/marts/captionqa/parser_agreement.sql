-- what: how often the published parser and our strict parser find the same choice in a reply, different choices, or
--     only one of them finds a choice
-- key: [reader, evidence, captioner, prompt, provenance]
-- source: "the published parser, which all other results use, and the strict one on the same replies; beyond the paper"
-- columns:
--   reader, evidence:
--   captioner: [varchar, model_id of the captioner; under evidence image the model that looked; empty under evidence
--       none]
--   prompt, provenance, reader_name:
--   n_replies: [bigint, count, 1.., replies that both parsers have read]
--   n_images: [bigint, count, images that they are about]
--   n_agree: [bigint, count, both parsers find the same choice]
--   n_differ: [bigint, count, 0.., "both find a choice, and not the same"]
--   n_only_upstream: [bigint, count, only the published parser finds a choice]
--   n_only_strict: [bigint, count, only the strict parser finds a choice]
--   n_neither: [bigint, count, "neither finds a choice, failed calls included"]
--   agreement: [double, percent, 0..100, n_agree and n_neither as a share of all replies]
--   accuracy_upstream: [double, percent, 0..100, accuracy by the published parser]
--   accuracy_strict: [double, percent, 0..100, accuracy by the strict parser]
--   score_upstream: [double, percent, 0..105, score by the published parser]
--   score_strict: [double, percent, 0..105, score by the strict parser]
-- intervals:
--   agreement, accuracy_upstream, accuracy_strict, score_upstream, score_strict: share(n_replies, clusters)

-- The effect of an image on each share, to first order.
with moves as (
    select
        *,
        share_part(n_agree + n_neither, n_replies, sum(n_agree + n_neither) over every, sum(n_replies) over every)
            as agreement_part,
        share_part(correct_upstream, n_replies, sum(correct_upstream) over every, sum(n_replies) over every)
            as accuracy_upstream_part,
        share_part(correct_strict, n_replies, sum(correct_strict) over every, sum(n_replies) over every)
            as accuracy_strict_part,
        score_of_parts(share_part(score_upstream, n_replies, sum(score_upstream) over every, sum(n_replies) over every))
            as score_upstream_part,
        score_of_parts(share_part(score_strict, n_replies, sum(score_strict) over every, sum(n_replies) over every))
            as score_strict_part
    from merged_parser_sums()
    window every as (partition by reader, evidence, captioner, prompt, provenance)
)

select
    reader, evidence, captioner, prompt, provenance, model_name(reader) as reader_name, sum(n_replies) as n_replies,
    count(*) as n_images, sum(n_agree) as n_agree, sum(n_differ) as n_differ, sum(n_only_upstream) as n_only_upstream,
    sum(n_only_strict) as n_only_strict, sum(n_neither) as n_neither,
    percent_of(sum(n_agree + n_neither), sum(n_replies)) as agreement,
    parts_error(sum(exact_square(agreement_part)), count(*)) as agreement_se,
    percent_of(sum(correct_upstream), sum(n_replies)) as accuracy_upstream,
    parts_error(sum(exact_square(accuracy_upstream_part)), count(*)) as accuracy_upstream_se,
    percent_of(sum(correct_strict), sum(n_replies)) as accuracy_strict,
    parts_error(sum(exact_square(accuracy_strict_part)), count(*)) as accuracy_strict_se,
    score_of_parts(percent_of(sum(score_upstream), sum(n_replies))) as score_upstream,
    parts_error(sum(exact_square(score_upstream_part)), count(*)) as score_upstream_se,
    score_of_parts(percent_of(sum(score_strict), sum(n_replies))) as score_strict,
    parts_error(sum(exact_square(score_strict_part)), count(*)) as score_strict_se,
    clusters_of(sum(n_replies), sum(n_replies * n_replies)) as clusters
from moves
group by reader, evidence, captioner, prompt, provenance;

-- audit: readings_add_up: every reply falls into one of the five cases
select reader, evidence, captioner, prompt, n_replies, n_agree, n_differ, n_only_upstream, n_only_strict, n_neither
from parser_agreement
where n_replies <> n_agree + n_differ + n_only_upstream + n_only_strict + n_neither;
