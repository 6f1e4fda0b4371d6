-- model: parser_agreement
-- what: "the published parser and our strict parser on the same replies: where they agree, differ, or only one finds an answer"
-- grain: one row per reader, evidence, captioner, prompt and provenance
-- key: [reader, evidence, model_id, prompt, provenance]
-- inputs: [answers, stale_answers, models]
-- source: the protocols captionqa/upstream (the published parser) and captionqa/strict; beyond the paper
-- columns:
--   reader: [varchar, model_id of the reader]
--   evidence: [varchar, "caption, image or none"]
--   model_id: [varchar, captioner; under evidence image the model that looked; empty under evidence none]
--   prompt: [varchar, caption prompt; empty unless evidence is caption]
--   provenance: [varchar, "published, measured or simulated"]
--   model: [varchar, name of the reader to show to people]
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

with upstream as (
    select reader, evidence, captioner, prompt, provenance, question_id, image_id, repeat, outcome, choice_index, score
    from counted_answers()
    where protocol = 'captionqa/upstream'
),

strict as (
    select reader, evidence, captioner, prompt, provenance, question_id, repeat, outcome, choice_index, score
    from counted_answers()
    where protocol = 'captionqa/strict'
),

registry as (
    select model_id, name
    from models
),

readings as (
    select
        u.reader, u.evidence, u.captioner as model_id, u.prompt, u.provenance, u.image_id,
        u.outcome in ('correct', 'incorrect', 'cannot') as upstream_parsed,
        s.outcome in ('correct', 'incorrect', 'cannot') as strict_parsed,
        u.outcome = s.outcome and u.choice_index is not distinct from s.choice_index as same,
        u.outcome = 'correct' as upstream_correct,
        s.outcome = 'correct' as strict_correct,
        score_parts(u.score) as upstream_parts,
        score_parts(s.score) as strict_parts
    from upstream as u
    inner join strict as s
        on s.reader = u.reader and s.evidence = u.evidence and s.captioner = u.captioner and s.prompt = u.prompt
        and s.provenance = u.provenance and s.question_id = u.question_id and s.repeat = u.repeat
),

per_image as (
    select
        reader, evidence, model_id, prompt, provenance, image_id,
        count(*) as n_replies,
        sum(case when upstream_parsed and strict_parsed and same then 1 else 0 end) as n_agree,
        sum(case when upstream_parsed and strict_parsed and not same then 1 else 0 end) as n_differ,
        sum(case when upstream_parsed and not strict_parsed then 1 else 0 end) as n_only_upstream,
        sum(case when strict_parsed and not upstream_parsed then 1 else 0 end) as n_only_strict,
        sum(case when not strict_parsed and not upstream_parsed then 1 else 0 end) as n_neither,
        sum(case when upstream_correct then 1 else 0 end) as n_correct_upstream,
        sum(case when strict_correct then 1 else 0 end) as n_correct_strict,
        sum(upstream_parts) as parts_upstream,
        sum(strict_parts) as parts_strict
    from readings
    group by reader, evidence, model_id, prompt, provenance, image_id
),

counted as (
    select
        reader, evidence, model_id, prompt, provenance, count(*) as n_images,
        clusters_of(sum(n_replies), sum(n_replies * n_replies)) as clusters, sum(n_replies) as n_replies, sum(n_agree) as n_agree,
            sum(n_differ) as n_differ, sum(n_only_upstream) as n_only_upstream,
        sum(n_only_strict) as n_only_strict, sum(n_neither) as n_neither, sum(n_correct_upstream) as n_correct_upstream,
        sum(n_correct_strict) as n_correct_strict,
        score_of_parts(sum(parts_upstream)) as score_upstream, score_of_parts(sum(parts_strict)) as score_strict
    from per_image
    group by reader, evidence, model_id, prompt, provenance
),

measured as (
    select
        c.reader, c.evidence, c.model_id, c.prompt, c.provenance, c.n_images, c.clusters, c.n_replies, c.n_agree, c.n_differ,
        c.n_only_upstream, c.n_only_strict, c.n_neither,
        percent_of(c.n_agree + c.n_neither, c.n_replies) as agreement,
        percent_of(c.n_correct_upstream, c.n_replies) as accuracy_upstream,
        percent_of(c.n_correct_strict, c.n_replies) as accuracy_strict,
        percent_of(c.score_upstream, c.n_replies) as score_upstream,
        percent_of(c.score_strict, c.n_replies) as score_strict,
        parts_error(s.agreement_squares, c.n_images) as agreement_se,
        parts_error(s.accuracy_upstream_squares, c.n_images) as accuracy_upstream_se,
        parts_error(s.accuracy_strict_squares, c.n_images) as accuracy_strict_se,
        parts_error(s.score_upstream_squares, c.n_images) as score_upstream_se,
        parts_error(s.score_strict_squares, c.n_images) as score_strict_se
    from counted as c
    inner join (
        select
            p.reader, p.evidence, p.model_id, p.prompt, p.provenance,
            sum(exact_square(share_part(p.n_agree + p.n_neither, p.n_replies, t.n_agree + t.n_neither, t.n_replies))) as agreement_squares,
            sum(exact_square(share_part(p.n_correct_upstream, p.n_replies, t.n_correct_upstream,
                t.n_replies))) as accuracy_upstream_squares,
            sum(exact_square(share_part(p.n_correct_strict, p.n_replies, t.n_correct_strict, t.n_replies))) as accuracy_strict_squares,
            sum(exact_square(share_part(score_of_parts(p.parts_upstream), p.n_replies, t.score_upstream,
                t.n_replies))) as score_upstream_squares,
            sum(exact_square(share_part(score_of_parts(p.parts_strict), p.n_replies, t.score_strict, t.n_replies))) as score_strict_squares
        from per_image as p
        inner join counted as t
            on t.reader = p.reader and t.evidence = p.evidence and t.model_id = p.model_id and t.prompt = p.prompt
                and t.provenance = p.provenance
        group by p.reader, p.evidence, p.model_id, p.prompt, p.provenance
    ) as s
        on s.reader = c.reader and s.evidence = c.evidence and s.model_id = c.model_id and s.prompt = c.prompt
            and s.provenance = c.provenance
)

select
    c.reader, c.evidence, c.model_id, c.prompt, c.provenance,
    coalesce(r.name, c.reader) as model,
    c.n_replies, c.n_images, c.n_agree, c.n_differ, c.n_only_upstream, c.n_only_strict, c.n_neither, c.agreement, c.agreement_se,
    c.accuracy_upstream, c.accuracy_upstream_se, c.accuracy_strict, c.accuracy_strict_se, c.score_upstream, c.score_upstream_se,
    c.score_strict, c.score_strict_se, c.clusters
from measured as c
left join registry as r on r.model_id = c.reader;

-- audit: readings_add_up: every reply falls into one of the five cases
select reader, evidence, model_id, prompt, n_replies, n_agree, n_differ, n_only_upstream, n_only_strict, n_neither
from parser_agreement
where n_replies <> n_agree + n_differ + n_only_upstream + n_only_strict + n_neither;

-- audit: same_calls: both protocols read the same recorded reply, or they could not be compared
select u.reader, u.captioner, u.prompt, u.question_id, u.repeat
from counted_answers() as u
inner join counted_answers() as s
    on s.protocol = 'captionqa/strict' and s.reader = u.reader and s.evidence = u.evidence and s.captioner = u.captioner
    and s.prompt = u.prompt and s.provenance = u.provenance and s.question_id = u.question_id and s.repeat = u.repeat
where u.protocol = 'captionqa/upstream' and u.request_hash <> s.request_hash;
