-- what: how often the published parser and our strict one find the same choice in a reply, another one, or only one of them finds any
-- key: [reader, evidence, captioner, prompt, provenance]
-- source: the protocols captionqa/upstream (the published parser) and captionqa/strict; beyond the paper
-- columns:
--   reader, evidence:
--   captioner: [varchar, model_id of the captioner; under evidence image the model that looked; empty under evidence none]
--   prompt, provenance:
--   reader_name: [varchar, name of the reader to show to people]
--   n_replies: [bigint, count, 1.., replies that both protocols have an answer for]
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

with readings as (
    select
        u.reader, u.evidence, u.captioner, u.prompt, u.provenance, u.image_id, u.outcome <= 3 as by_upstream, s.outcome <= 3 as by_strict,
        u.outcome = s.outcome and u.choice = s.choice as same, u.outcome as upstream, s.outcome as strict,
        u.score_parts as upstream_parts, s.score_parts as strict_parts
    from compared_answers as u
    inner join compared_answers as s
        on s.condition_id = condition_of('captionqa/strict', u.reader, u.evidence, u.captioner, u.prompt, u.provenance)
        and s.question_id = u.question_id and s.repeat = u.repeat
    where u.protocol = 'captionqa/upstream'
),

images as (
    select
        reader, evidence, captioner, prompt, provenance, image_id, count(*) as n_replies,
        count(case when by_upstream and by_strict and same then 1 end) as n_agree,
        count(case when by_upstream and by_strict and not same then 1 end) as n_differ,
        count(case when by_upstream and not by_strict then 1 end) as n_only_upstream,
        count(case when by_strict and not by_upstream then 1 end) as n_only_strict,
        count(case when not by_strict and not by_upstream then 1 end) as n_neither,
        count(case when upstream = 1 then 1 end) as correct_upstream, count(case when strict = 1 then 1 end) as correct_strict,
        score_of_parts(sum(upstream_parts)) as score_upstream, score_of_parts(sum(strict_parts)) as score_strict
    from readings
    group by reader, evidence, captioner, prompt, provenance, image_id
),

-- What an image moves each share, to first order.
moves as (
    select
        *,
        share_part(n_agree + n_neither, n_replies, sum(n_agree + n_neither) over every, sum(n_replies) over every) as agreement_part,
        share_part(correct_upstream, n_replies, sum(correct_upstream) over every, sum(n_replies) over every) as accuracy_upstream_part,
        share_part(correct_strict, n_replies, sum(correct_strict) over every, sum(n_replies) over every) as accuracy_strict_part,
        share_part(score_upstream, n_replies, sum(exact_long(score_upstream)) over every, sum(n_replies) over every) as score_upstream_part,
        share_part(score_strict, n_replies, sum(exact_long(score_strict)) over every, sum(n_replies) over every) as score_strict_part
    from images
    window every as (partition by reader, evidence, captioner, prompt, provenance)
)

select
    reader, evidence, captioner, prompt, provenance, coalesce(m.name, reader) as reader_name, sum(n_replies) as n_replies,
    count(*) as n_images, sum(n_agree) as n_agree, sum(n_differ) as n_differ, sum(n_only_upstream) as n_only_upstream,
    sum(n_only_strict) as n_only_strict, sum(n_neither) as n_neither,
    percent_of(sum(n_agree + n_neither), sum(n_replies)) as agreement,
    parts_error(sum(exact_square(agreement_part)), count(*)) as agreement_se,
    percent_of(sum(correct_upstream), sum(n_replies)) as accuracy_upstream,
    parts_error(sum(exact_square(accuracy_upstream_part)), count(*)) as accuracy_upstream_se,
    percent_of(sum(correct_strict), sum(n_replies)) as accuracy_strict,
    parts_error(sum(exact_square(accuracy_strict_part)), count(*)) as accuracy_strict_se,
    percent_of(sum(exact_long(score_upstream)), sum(n_replies)) as score_upstream,
    parts_error(sum(exact_square(score_upstream_part)), count(*)) as score_upstream_se,
    percent_of(sum(exact_long(score_strict)), sum(n_replies)) as score_strict,
    parts_error(sum(exact_square(score_strict_part)), count(*)) as score_strict_se,
    clusters_of(sum(n_replies), sum(n_replies * n_replies)) as clusters
from moves
left join models as m on m.model_id = reader
group by reader, evidence, captioner, prompt, provenance, m.name;

-- audit: readings_add_up: every reply falls into one of the five cases
select reader, evidence, captioner, prompt, n_replies, n_agree, n_differ, n_only_upstream, n_only_strict, n_neither
from parser_agreement
where n_replies <> n_agree + n_differ + n_only_upstream + n_only_strict + n_neither;

-- audit: same_calls: both protocols read the same recorded reply, or they could not be compared
select u.reader, u.captioner, u.prompt, u.question_id, u.repeat
from compared_answers as u
inner join compared_answers as s
    on s.condition_id = condition_of('captionqa/strict', u.reader, u.evidence, u.captioner, u.prompt, u.provenance)
    and s.question_id = u.question_id and s.repeat = u.repeat
where u.protocol = 'captionqa/upstream' and u.call <> s.call;
