-- model: parser_agreement
-- what: the published parser and our strict parser on the same replies: where they agree, differ, or only one finds an answer
-- grain: one row per reader, evidence, captioner, prompt and provenance
-- key: reader, evidence, model_id, prompt, provenance
-- inputs: answers, models
-- source: the protocols captionqa/upstream (the published parser) and captionqa/strict; beyond the paper
-- columns:
--   reader             varchar  -        model_id of the reader
--   evidence           varchar  -        caption, image or none
--   model_id           varchar  -        captioner; under evidence image the model that looked; empty under evidence none
--   prompt             varchar  -        caption prompt; empty unless evidence is caption
--   provenance         varchar  -        published, measured or simulated
--   model              varchar  -        name of the reader to show to people
--   n_replies          bigint   count    replies that both protocols have an answer for
--   n_agree            bigint   count    both parsers find the same choice
--   n_differ           bigint   count    both find a choice, and not the same
--   n_only_upstream    bigint   count    only the published parser finds a choice
--   n_only_strict      bigint   count    only the strict parser finds a choice
--   n_neither          bigint   count    neither finds a choice, failed calls included
--   agreement          double   percent  n_agree and n_neither as a share of all replies
--   accuracy_upstream  double   percent  accuracy by the published parser
--   accuracy_strict    double   percent  accuracy by the strict parser
--   score_upstream     double   percent  score by the published parser
--   score_strict       double   percent  score by the strict parser
-- checks:
--   n_replies >= 1
--   agreement between 0 and 100
--   n_differ >= 0

with upstream as (
    select reader, evidence, captioner, prompt, provenance, question_id, repeat, outcome, choice_index, score
    from answers
    where protocol = 'captionqa/upstream'
),

strict as (
    select reader, evidence, captioner, prompt, provenance, question_id, repeat, outcome, choice_index, score
    from answers
    where protocol = 'captionqa/strict'
),

registry as (
    select model_id, name
    from models
),

readings as (
    select
        u.reader, u.evidence, u.captioner as model_id, u.prompt, u.provenance,
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

counted as (
    select
        reader, evidence, model_id, prompt, provenance,
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
    group by reader, evidence, model_id, prompt, provenance
)

select
    cast(c.reader as varchar) as reader,
    cast(c.evidence as varchar) as evidence,
    cast(c.model_id as varchar) as model_id,
    cast(c.prompt as varchar) as prompt,
    cast(c.provenance as varchar) as provenance,
    cast(coalesce(r.name, c.reader) as varchar) as model,
    cast(c.n_replies as bigint) as n_replies,
    cast(c.n_agree as bigint) as n_agree,
    cast(c.n_differ as bigint) as n_differ,
    cast(c.n_only_upstream as bigint) as n_only_upstream,
    cast(c.n_only_strict as bigint) as n_only_strict,
    cast(c.n_neither as bigint) as n_neither,
    cast(percent_of(c.n_agree + c.n_neither, c.n_replies) as double) as agreement,
    cast(percent_of(c.n_correct_upstream, c.n_replies) as double) as accuracy_upstream,
    cast(percent_of(c.n_correct_strict, c.n_replies) as double) as accuracy_strict,
    cast(100 * score_of_parts(c.parts_upstream) / c.n_replies as double) as score_upstream,
    cast(100 * score_of_parts(c.parts_strict) / c.n_replies as double) as score_strict
from counted as c
left join registry as r on r.model_id = c.reader;

-- audit: readings_add_up: every reply falls into one of the five cases
select reader, evidence, model_id, prompt, n_replies, n_agree, n_differ, n_only_upstream, n_only_strict, n_neither
from parser_agreement
where n_replies <> n_agree + n_differ + n_only_upstream + n_only_strict + n_neither;

-- audit: same_calls: both protocols read the same recorded reply, or they could not be compared
select u.reader, u.captioner, u.prompt, u.question_id, u.repeat
from answers as u
inner join answers as s
    on s.protocol = 'captionqa/strict' and s.reader = u.reader and s.evidence = u.evidence and s.captioner = u.captioner
    and s.prompt = u.prompt and s.provenance = u.provenance and s.question_id = u.question_id and s.repeat = u.repeat
where u.protocol = 'captionqa/upstream' and u.request_hash <> s.request_hash;
