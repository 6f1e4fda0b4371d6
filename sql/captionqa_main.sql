-- model: captionqa_main
-- what: the CaptionQA main table: one score per domain and their mean, for every model, caption prompt and reader
-- grain: one row per prompt, model, protocol, reader, provenance and origin; QA-on-caption only
-- key: prompt, model_id, protocol, reader, provenance, origin
-- inputs: captionqa_results
-- source: CaptionQA Table 3, from the unrounded or printed scores of Tables 11 to 26
-- columns:
--   prompt                varchar  -        caption prompt
--   model                 varchar  -        name of the model to show to people
--   model_id              varchar  -        captioner
--   size                  varchar  -        parameters as printed; empty when undisclosed; null when the registry does not know the model
--   model_type            varchar  -        open, proprietary, human, metric or stub; null when the registry does not know the model
--   provenance            varchar  -        published, measured or simulated
--   origin                varchar  -        base table that the figures come from: answers or published
--   protocol              varchar  -        how questions were put, parsed and scored
--   reader                varchar  -        model_id of the model that answered
--   natural               double   percent  score in the domain Natural, null when absent; SQL has a keyword natural, so write "natural" in quotes
--   document              double   percent  score in the domain Document; null when absent
--   ecommerce             double   percent  score in the domain E-commerce; null when absent
--   embodied_ai           double   percent  score in the domain Embodied AI; null when absent
--   overall               double   percent  mean of the four domain scores, unrounded; null unless all four are present
--   overall_present       double   percent  mean of the scores of all domains present, domains beyond the four included
--   rank                  bigint   rank     place by overall within prompt, protocol, reader, provenance and origin; null without overall
--   n_domains             bigint   count    domains present, beyond the four included
--   n_questions           bigint   count    questions answered; null for printed rows
--   n_unparsed            bigint   count    replies without a readable choice, scored 0; null for printed rows
--   n_failed              bigint   count    calls that gave no reply, scored 0; null for printed rows
--   note                  varchar  -        what a reader must know of the row; null when nothing
--   overall_se            double   percent  standard error of overall, clustered by image: the domains share no images; null for printed rows
--   overall_low           double   percent  lower end of the 95 % interval of overall, effective images - 4 degrees of freedom, by Korn and Graubard
--   overall_high          double   percent  upper end of that interval
--   natural_se            double   percent  standard error of natural, clustered by image; null for printed rows
--   natural_low           double   percent  lower end of the 95 % interval of natural, effective images of the domain - 1 degrees of freedom, by Korn and Graubard
--   natural_high          double   percent  upper end of that interval
--   document_se           double   percent  the same of document
--   document_low          double   percent  lower end of the 95 % interval of document, effective images of the domain - 1 degrees of freedom, by Korn and Graubard
--   document_high         double   percent  upper end of that interval
--   ecommerce_se          double   percent  the same of ecommerce
--   ecommerce_low         double   percent  lower end of the 95 % interval of ecommerce, effective images of the domain - 1 degrees of freedom, by Korn and Graubard
--   ecommerce_high        double   percent  upper end of that interval
--   embodied_ai_se        double   percent  the same of embodied_ai
--   embodied_ai_low       double   percent  lower end of the 95 % interval of embodied_ai, effective images of the domain - 1 degrees of freedom, by Korn and Graubard
--   embodied_ai_high      double   percent  upper end of that interval
--   overall_present_se    double   percent  standard error of overall_present, clustered by image: the domains share no images; null for printed rows and where a domain has a single image
--   overall_present_low   double   percent  lower end of the 95 % interval, effective images - domains degrees of freedom, by Korn and Graubard
--   overall_present_high  double   percent  upper end of that interval
-- checks:
--   provenance in published, measured, simulated
--   origin in answers, published
--   natural between 0 and 105
--   document between 0 and 105
--   ecommerce between 0 and 105
--   embodied_ai between 0 and 105
--   overall between 0 and 105
--   overall_present not null
--   n_domains >= 1
--   rank >= 1
--   overall_se >= 0
--   natural_low between 0 and 105
--   natural_high between 0 and 105
--   document_low between 0 and 105
--   document_high between 0 and 105
--   ecommerce_low between 0 and 105
--   ecommerce_high between 0 and 105
--   embodied_ai_low between 0 and 105
--   embodied_ai_high between 0 and 105
--   overall_low between 0 and 105
--   overall_high between 0 and 105
--   overall_present_low between 0 and 105
--   overall_present_high between 0 and 105

with cells as (
    select
        prompt, model, model_id, size, model_type, provenance, origin, protocol, reader, domain, source_item,
        n_questions, effective_images, n_unparsed, n_failed, exact(score) as score, score_se
    from captionqa_results
    where evidence = 'caption' and score is not null
),

pivoted as (
    select
        prompt,
        model_id,
        provenance,
        origin,
        protocol,
        reader,
        max(model) as model,
        max(size) as size,
        max(model_type) as model_type,
        max(case when domain = 'Natural' then score end) as natural_score,
        max(case when domain = 'Document' then score end) as document_score,
        max(case when domain = 'E-commerce' then score end) as ecommerce_score,
        max(case when domain = 'Embodied AI' then score end) as embodied_ai_score,
        max(case when domain = 'Natural' then score_se end) as natural_se,
        max(case when domain = 'Document' then score_se end) as document_se,
        max(case when domain = 'E-commerce' then score_se end) as ecommerce_se,
        max(case when domain = 'Embodied AI' then score_se end) as embodied_ai_se,
        max(case when domain = 'Natural' then effective_images end) as natural_images,
        max(case when domain = 'Natural' then n_questions end) as natural_questions,
        max(case when domain = 'Document' then effective_images end) as document_images,
        max(case when domain = 'Document' then n_questions end) as document_questions,
        max(case when domain = 'E-commerce' then effective_images end) as ecommerce_images,
        max(case when domain = 'E-commerce' then n_questions end) as ecommerce_questions,
        max(case when domain = 'Embodied AI' then effective_images end) as embodied_ai_images,
        max(case when domain = 'Embodied AI' then n_questions end) as embodied_ai_questions,
        sum(case when domain in ('Natural', 'Document', 'E-commerce', 'Embodied AI') then exact_mean(effective_images - 1) end) as freedom,
        sum(case when domain in ('Natural', 'Document', 'E-commerce', 'Embodied AI') then n_questions end) as four_questions,
        sum(exact_mean(effective_images - 1)) as freedom_present,
        -- The domains share no images (audit one_domain of captionqa_image_sums): their variances are added.
        case when count(score_se) = count(*) then sqrt(cast(sum(exact_square(score_se)) as double)) / count(*) end as overall_present_se,
        sum(score) as total_score,
        count(*) as n_domains,
        sum(n_questions) as n_questions,
        sum(n_unparsed) as n_unparsed,
        sum(n_failed) as n_failed,
        joined_text(case when origin = 'published' and source_item = 'Table 3' then domain end) as from_main_table
    from cells
    group by prompt, model_id, provenance, origin, protocol, reader
),

averaged as (
    select
        prompt, model, model_id, size, model_type, provenance, origin, protocol, reader,
        natural_score, document_score, ecommerce_score, embodied_ai_score,
        -- Decimals are added, so that a mean of printed figures has no digits of its own making.
        cast(natural_score + document_score + ecommerce_score + embodied_ai_score as double) / 4 as overall,
        cast(total_score as double) / n_domains as overall_present,
        -- The errors of independent domains add up as squares; without one of the four there is no overall either.
        sqrt(natural_se * natural_se + document_se * document_se + ecommerce_se * ecommerce_se + embodied_ai_se * embodied_ai_se) / 4
            as overall_se,
        natural_se, document_se, ecommerce_se, embodied_ai_se, freedom,
        natural_images, document_images, ecommerce_images, embodied_ai_images, overall_present_se, freedom_present,
        natural_questions, document_questions, ecommerce_questions, embodied_ai_questions, four_questions,
        n_domains, n_questions, n_unparsed, n_failed, from_main_table
    from pivoted
),

ranked as (
    select
        prompt, model, model_id, size, model_type, provenance, origin, protocol, reader,
        natural_score, document_score, ecommerce_score, embodied_ai_score, overall, overall_present,
        rank() over (partition by prompt, protocol, reader, provenance, origin order by overall desc nulls last) as place,
        overall_se, natural_se, document_se, ecommerce_se, embodied_ai_se, freedom,
        natural_images, document_images, ecommerce_images, embodied_ai_images, overall_present_se, freedom_present,
        natural_questions, document_questions, ecommerce_questions, embodied_ai_questions, four_questions,
        n_domains, n_questions, n_unparsed, n_failed, from_main_table
    from averaged
)

select
    cast(prompt as varchar) as prompt,
    cast(model as varchar) as model,
    cast(model_id as varchar) as model_id,
    cast(size as varchar) as size,
    cast(model_type as varchar) as model_type,
    cast(provenance as varchar) as provenance,
    cast(origin as varchar) as origin,
    cast(protocol as varchar) as protocol,
    cast(reader as varchar) as reader,
    cast(natural_score as double) as natural,
    cast(document_score as double) as document,
    cast(ecommerce_score as double) as ecommerce,
    cast(embodied_ai_score as double) as embodied_ai,
    cast(overall as double) as overall,
    cast(overall_present as double) as overall_present,
    cast(case when overall is not null then place end as bigint) as rank,
    cast(n_domains as bigint) as n_domains,
    cast(n_questions as bigint) as n_questions,
    cast(n_unparsed as bigint) as n_unparsed,
    cast(n_failed as bigint) as n_failed,
    cast('score from Table 3, absent from the table of the domain: ' || from_main_table as varchar) as note,
    cast(overall_se as double) as overall_se,
    cast(share_low(overall, overall_se, four_questions, freedom + 1) as double) as overall_low,
    cast(share_high(overall, overall_se, four_questions, freedom + 1) as double) as overall_high,
    cast(natural_se as double) as natural_se,
    cast(share_low(natural_score, natural_se, natural_questions, natural_images) as double) as natural_low,
    cast(share_high(natural_score, natural_se, natural_questions, natural_images) as double) as natural_high,
    cast(document_se as double) as document_se,
    cast(share_low(document_score, document_se, document_questions, document_images) as double) as document_low,
    cast(share_high(document_score, document_se, document_questions, document_images) as double) as document_high,
    cast(ecommerce_se as double) as ecommerce_se,
    cast(share_low(ecommerce_score, ecommerce_se, ecommerce_questions, ecommerce_images) as double) as ecommerce_low,
    cast(share_high(ecommerce_score, ecommerce_se, ecommerce_questions, ecommerce_images) as double) as ecommerce_high,
    cast(embodied_ai_se as double) as embodied_ai_se,
    cast(share_low(embodied_ai_score, embodied_ai_se, embodied_ai_questions, embodied_ai_images) as double) as embodied_ai_low,
    cast(share_high(embodied_ai_score, embodied_ai_se, embodied_ai_questions, embodied_ai_images) as double) as embodied_ai_high,
    cast(overall_present_se as double) as overall_present_se,
    cast(share_low(overall_present, overall_present_se, n_questions, freedom_present + 1) as double) as overall_present_low,
    cast(share_high(overall_present, overall_present_se, n_questions, freedom_present + 1) as double) as overall_present_high
from ranked;

-- audit: overall_needs_four_domains: an overall score over fewer domains would not be comparable
select prompt, model_id, provenance, overall, "natural", document, ecommerce, embodied_ai
from captionqa_main
where (overall is null) <> ("natural" is null or document is null or ecommerce is null or embodied_ai is null);

-- audit: overall_within_domains: a mean lies between its least and its greatest part
select prompt, model_id, provenance, overall, "natural", document, ecommerce, embodied_ai
from captionqa_main
where overall < least("natural", document, ecommerce, embodied_ai) - 0.000001
    or overall > greatest("natural", document, ecommerce, embodied_ai) + 0.000001;

-- audit: interval_holds_estimate: an interval holds its estimate, and that of a share has a width
select prompt, model_id, provenance, overall, overall_low, overall_high, overall_present, "natural", document, ecommerce, embodied_ai
from captionqa_main
where overall not between overall_low and overall_high or overall_low = overall_high or overall_present not between overall_present_low and overall_present_high or overall_present_low = overall_present_high
    or "natural" not between natural_low and natural_high or natural_low = natural_high or document not between document_low and document_high or document_low = document_high
    or ecommerce not between ecommerce_low and ecommerce_high or ecommerce_low = ecommerce_high or embodied_ai not between embodied_ai_low and embodied_ai_high or embodied_ai_low = embodied_ai_high;
