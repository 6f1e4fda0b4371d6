-- model: captionqa_categories
-- what: CaptionQA scores by taxonomy category, computed from answers and as printed on the public leaderboard
-- grain: one row per protocol, reader, evidence, model, prompt, domain, category, provenance and origin
-- key: protocol, reader, evidence, model_id, prompt, domain, category, provenance, origin
-- inputs: answers, published, models
-- source: the CaptionQA public leaderboard, scores by category
-- columns:
--   protocol             varchar  -        how questions were put, parsed and scored; captionqa/upstream for printed rows
--   reader               varchar  -        model_id of the model that answered; the paper's reader (section 3.5) for printed rows
--   evidence             varchar  -        caption, image or none
--   model_id             varchar  -        captioner; under evidence image the model that looked; empty under evidence none
--   prompt               varchar  -        caption prompt; empty unless evidence is caption
--   domain               varchar  -        domain
--   category             varchar  -        first level of the domain's taxonomy; empty when the bank names none
--   provenance           varchar  -        published, measured or simulated
--   origin               varchar  -        base table that the row comes from: answers or published
--   source_item          varchar  -        page of the leaderboard; null when computed from answers
--   model                varchar  -        name of the model to show to people
--   size                 varchar  -        parameters as printed; empty when undisclosed; null when the registry does not know the model
--   model_type           varchar  -        open, proprietary, human, metric or stub; null when the registry does not know the model
--   n_questions          bigint   count    questions answered; null for printed rows, as all counts
--   n_images             bigint   count    items that the questions are about
--   n_answers            bigint   count    answers, repetitions included: the denominator of score, accuracy and cannot_rate
--   n_correct            bigint   count    answers that chose the key
--   n_cannot             bigint   count    answers that chose the cannot option
--   n_unparsed           bigint   count    replies without a readable choice; they score 0
--   n_failed             bigint   count    calls that gave no reply; they score 0
--   score                double   percent  mean score of all answers
--   accuracy             double   percent  share of all answers that are correct; null for printed rows
--   cannot_rate          double   percent  share of all answers that chose the cannot option; null for printed rows
--   cannot_rate_offered  double   percent  share of the answers to questions that offer the cannot option; null for printed rows
-- checks:
--   evidence in caption, image, none
--   provenance in published, measured, simulated
--   origin in answers, published
--   n_answers >= 1
--   score not null
--   score between 0 and 105
--   accuracy between 0 and 100
--   cannot_rate between 0 and 100
--   cannot_rate_offered between 0 and 100

with graded as (
    select
        protocol, reader, evidence, captioner as model_id, prompt, domain, category, provenance,
        question_id, image_id, outcome, offers_cannot, exact(score) as score
    from answers
),

printed as (
    select item, model, coalesce(nullif(model_id, ''), model) as model_id, prompt, domain, category, value
    from published
    where benchmark = 'captionqa' and source = 'leaderboard' and metric = 'score' and category <> ''
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
        category,
        provenance,
        count(distinct question_id) as n_questions,
        count(distinct image_id) as n_images,
        count(*) as n_answers,
        sum(case when outcome = 'correct' then 1 else 0 end) as n_correct,
        sum(case when outcome = 'cannot' then 1 else 0 end) as n_cannot,
        sum(case when outcome = 'unparsed' then 1 else 0 end) as n_unparsed,
        sum(case when outcome = 'failed' then 1 else 0 end) as n_failed,
        sum(case when offers_cannot then 1 else 0 end) as n_offered,
        sum(score) as total_score
    from graded
    group by protocol, reader, evidence, model_id, prompt, domain, category, provenance
),

both_origins as (
    select
        protocol, reader, evidence, model_id, prompt, domain, category, provenance,
        'answers' as origin,
        null as source_item,
        null as printed_model,
        n_questions, n_images, n_answers, n_correct, n_cannot, n_unparsed, n_failed,
        percent_of(cast(total_score as double), n_answers) as score,
        percent_of(n_correct, n_answers) as accuracy,
        percent_of(n_cannot, n_answers) as cannot_rate,
        percent_of(n_cannot, n_offered) as cannot_rate_offered
    from from_answers
    union all
    select
        'captionqa/upstream' as protocol, paper_reader() as reader, 'caption' as evidence, model_id, prompt, domain, category,
        'published' as provenance,
        'published' as origin,
        item as source_item,
        model as printed_model,
        null as n_questions, null as n_images, null as n_answers, null as n_correct, null as n_cannot,
        null as n_unparsed, null as n_failed,
        value as score,
        null as accuracy,
        null as cannot_rate,
        null as cannot_rate_offered
    from printed
)

select
    cast(b.protocol as varchar) as protocol,
    cast(b.reader as varchar) as reader,
    cast(b.evidence as varchar) as evidence,
    cast(b.model_id as varchar) as model_id,
    cast(b.prompt as varchar) as prompt,
    cast(b.domain as varchar) as domain,
    cast(b.category as varchar) as category,
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
    cast(b.n_cannot as bigint) as n_cannot,
    cast(b.n_unparsed as bigint) as n_unparsed,
    cast(b.n_failed as bigint) as n_failed,
    cast(b.score as double) as score,
    cast(b.accuracy as double) as accuracy,
    cast(b.cannot_rate as double) as cannot_rate,
    cast(b.cannot_rate_offered as double) as cannot_rate_offered
from both_origins as b
left join registry as r on r.model_id = b.model_id;

-- audit: score_not_below_accuracy: the cannot option can only add to the share of correct answers
select origin, model_id, prompt, domain, category, score, accuracy
from captionqa_categories
where score < accuracy - 0.000001;

-- audit: no_answer_lost: the answers of all categories of a domain are the answers of the lake
select d.protocol, d.reader, d.model_id, d.prompt, d.domain, d.n_answers, c.n_answers as n_answers_in_categories
from (
    select protocol, reader, evidence, captioner as model_id, prompt, domain, provenance, count(*) as n_answers
    from answers
    group by protocol, reader, evidence, captioner, prompt, domain, provenance
) as d
inner join (
    select protocol, reader, evidence, model_id, prompt, domain, provenance, sum(n_answers) as n_answers
    from captionqa_categories
    where origin = 'answers'
    group by protocol, reader, evidence, model_id, prompt, domain, provenance
) as c
    on c.protocol = d.protocol and c.reader = d.reader and c.evidence = d.evidence and c.model_id = d.model_id
    and c.prompt = d.prompt and c.domain = d.domain and c.provenance = d.provenance
where d.n_answers <> c.n_answers;
