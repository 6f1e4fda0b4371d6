-- model: captionqa_results
-- what: CaptionQA results by model, caption prompt and domain, computed from answers and as printed in the paper
-- grain: one row per protocol, reader, evidence, model, prompt, domain, provenance and origin
-- key: protocol, reader, evidence, model_id, prompt, domain, provenance, origin
-- inputs: answers, published, models
-- source: CaptionQA Tables 11 to 26; a cell that is absent there is taken from Table 3, score only
-- columns:
--   protocol             varchar  -        how questions were put, parsed and scored; captionqa/upstream for printed rows
--   reader               varchar  -        model_id of the model that answered; the paper's reader (section 3.5) for printed rows
--   evidence             varchar  -        caption, image or none
--   model_id             varchar  -        captioner; under evidence image the model that looked; empty under evidence none
--   prompt               varchar  -        caption prompt; empty unless evidence is caption
--   domain               varchar  -        domain
--   provenance           varchar  -        published, measured or simulated
--   origin               varchar  -        base table that the row comes from: answers or published
--   source_item          varchar  -        table of the paper; null when computed from answers
--   model                varchar  -        name of the model to show to people
--   size                 varchar  -        parameters as printed; empty when undisclosed; null when the registry does not know the model
--   model_type           varchar  -        open, proprietary, human, metric or stub; null when the registry does not know the model
--   n_questions          bigint   count    questions answered; null for printed rows, as all counts
--   n_images             bigint   count    items that the questions are about
--   n_answers            bigint   count    answers, repetitions included: the denominator of score, accuracy and cannot_rate
--   n_correct            bigint   count    answers that chose the key
--   n_incorrect          bigint   count    answers that chose another option
--   n_cannot             bigint   count    answers that chose the cannot option
--   n_unparsed           bigint   count    replies without a readable choice; they score 0
--   n_failed             bigint   count    calls that gave no reply; they score 0
--   n_offered            bigint   count    answers to questions that offered the cannot option
--   score                double   percent  mean score of all answers
--   accuracy             double   percent  share of all answers that are correct
--   cannot_rate          double   percent  share of all answers that chose the cannot option; null for printed rows
--   cannot_rate_offered  double   percent  share of the answers to questions that offer the cannot option; the rate that the paper prints
-- checks:
--   evidence in caption, image, none
--   provenance in published, measured, simulated
--   origin in answers, published
--   n_answers >= 1
--   n_failed >= 0
--   score between 0 and 105
--   accuracy between 0 and 100
--   cannot_rate between 0 and 100
--   cannot_rate_offered between 0 and 100

with graded as (
    select
        protocol, reader, evidence, captioner as model_id, prompt, domain, provenance,
        question_id, image_id, outcome, offers_cannot, exact(score) as score
    from answers
),

printed as (
    select item, model, coalesce(nullif(model_id, ''), model) as model_id, prompt, domain, metric, value
    from published
    where benchmark = 'captionqa' and source = 'paper'
),

registry as (
    select model_id, name, size, model_type
    from models
),

from_answers as (
    select
        protocol,
        reader,
        evidence,
        model_id,
        prompt,
        domain,
        provenance,
        count(distinct question_id) as n_questions,
        count(distinct image_id) as n_images,
        count(*) as n_answers,
        sum(case when outcome = 'correct' then 1 else 0 end) as n_correct,
        sum(case when outcome = 'incorrect' then 1 else 0 end) as n_incorrect,
        sum(case when outcome = 'cannot' then 1 else 0 end) as n_cannot,
        sum(case when outcome = 'unparsed' then 1 else 0 end) as n_unparsed,
        sum(case when outcome = 'failed' then 1 else 0 end) as n_failed,
        sum(case when offers_cannot then 1 else 0 end) as n_offered,
        sum(score) as total_score
    from graded
    group by protocol, reader, evidence, model_id, prompt, domain, provenance
),

domain_tables as (
    select
        item,
        model,
        model_id,
        prompt,
        domain,
        max(case when metric = 'score' then value end) as score,
        max(case when metric = 'accuracy' then value end) as accuracy,
        max(case when metric = 'cannot_rate_offered' then value end) as cannot_rate_offered
    from printed
    where item in (
        'Table 11', 'Table 12', 'Table 13', 'Table 14', 'Table 15', 'Table 16', 'Table 17', 'Table 18',
        'Table 19', 'Table 20', 'Table 21', 'Table 22', 'Table 23', 'Table 24', 'Table 25', 'Table 26'
    )
    group by item, model, model_id, prompt, domain
),

-- InternVL3 8B is absent from Table 12 (Natural, Simple) but Table 3 prints its score.
main_table_only as (
    select p.item, p.model, p.model_id, p.prompt, p.domain, p.value as score
    from printed as p
    left join domain_tables as d on d.model_id = p.model_id and d.prompt = p.prompt and d.domain = p.domain
    where p.item = 'Table 3' and p.metric = 'score' and p.domain <> 'Overall' and d.model_id is null
),

from_paper as (
    select item, model, model_id, prompt, domain, score, accuracy, cannot_rate_offered
    from domain_tables
    union all
    select item, model, model_id, prompt, domain, score, null as accuracy, null as cannot_rate_offered
    from main_table_only
),

both_origins as (
    select
        protocol, reader, evidence, model_id, prompt, domain, provenance,
        'answers' as origin,
        null as source_item,
        null as printed_model,
        n_questions, n_images, n_answers, n_correct, n_incorrect, n_cannot, n_unparsed, n_failed, n_offered,
        percent_of(cast(total_score as double), n_answers) as score,
        percent_of(n_correct, n_answers) as accuracy,
        percent_of(n_cannot, n_answers) as cannot_rate,
        percent_of(n_cannot, n_offered) as cannot_rate_offered
    from from_answers
    union all
    select
        'captionqa/upstream' as protocol, paper_reader() as reader, 'caption' as evidence, model_id, prompt, domain, 'published' as provenance,
        'published' as origin,
        item as source_item,
        model as printed_model,
        null as n_questions, null as n_images, null as n_answers, null as n_correct, null as n_incorrect,
        null as n_cannot, null as n_unparsed, null as n_failed, null as n_offered,
        score,
        accuracy,
        null as cannot_rate,
        cannot_rate_offered
    from from_paper
)

select
    cast(b.protocol as varchar) as protocol,
    cast(b.reader as varchar) as reader,
    cast(b.evidence as varchar) as evidence,
    cast(b.model_id as varchar) as model_id,
    cast(b.prompt as varchar) as prompt,
    cast(b.domain as varchar) as domain,
    cast(b.provenance as varchar) as provenance,
    cast(b.origin as varchar) as origin,
    cast(b.source_item as varchar) as source_item,
    cast(coalesce(r.name, b.printed_model, b.model_id) as varchar) as model,
    cast(r.size as varchar) as size,
    cast(r.model_type as varchar) as model_type,
    cast(b.n_questions as bigint) as n_questions,
    cast(b.n_images as bigint) as n_images,
    cast(b.n_answers as bigint) as n_answers,
    cast(b.n_correct as bigint) as n_correct,
    cast(b.n_incorrect as bigint) as n_incorrect,
    cast(b.n_cannot as bigint) as n_cannot,
    cast(b.n_unparsed as bigint) as n_unparsed,
    cast(b.n_failed as bigint) as n_failed,
    cast(b.n_offered as bigint) as n_offered,
    cast(b.score as double) as score,
    cast(b.accuracy as double) as accuracy,
    cast(b.cannot_rate as double) as cannot_rate,
    cast(b.cannot_rate_offered as double) as cannot_rate_offered
from both_origins as b
left join registry as r on r.model_id = b.model_id;

-- audit: outcomes_add_up: every answer has exactly one of the five known outcomes
select protocol, reader, model_id, prompt, domain, n_answers, n_correct, n_incorrect, n_cannot, n_unparsed, n_failed
from captionqa_results
where n_answers <> n_correct + n_incorrect + n_cannot + n_unparsed + n_failed;

-- audit: cannot_only_where_offered: the cannot option cannot be chosen where it is not offered
select protocol, reader, captioner, prompt, question_id, repeat
from answers
where outcome = 'cannot' and not offers_cannot;

-- audit: score_follows_outcome: 1 for correct, 1/K + 0.05 for cannot, 0 for the rest (CaptionQA section 3.4); the authors' result files round to four decimals
select protocol, reader, captioner, prompt, question_id, repeat, outcome, options, score
from answers
where abs(score - case outcome when 'correct' then 1.0 when 'cannot' then 1.0 / options + 0.05 else 0.0 end) > 0.000051;

-- audit: score_not_below_accuracy: the cannot option can only add to the share of correct answers; printed figures are rounded
select origin, source_item, model_id, prompt, domain, score, accuracy
from captionqa_results
where score < accuracy - 0.011;
