-- model: captionqa_main
-- what: "the CaptionQA main table: one score per domain and their mean, for every model, caption prompt and reader"
-- grain: one row per prompt, model, protocol, reader, provenance and origin; QA-on-caption only
-- key: [prompt, model_id, protocol, reader, provenance, origin]
-- inputs: [captionqa_results]
-- source: CaptionQA Table 3, from the unrounded or printed scores of Tables 11 to 26
-- columns:
--   prompt: [varchar, caption prompt]
--   model: [varchar, name of the model to show to people]
--   model_id: [varchar, captioner]
--   size: [varchar, parameters as printed; empty when undisclosed; null when the registry does not know the model]
--   model_type: [varchar, "open, proprietary, human, metric or stub; null when the registry does not know the model"]
--   provenance: [varchar, [published, measured, simulated]]
--   origin: [varchar, [answers, published], "base table that the figures come from: answers or published"]
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the model that answered]
--   natural: [double, percent, 0..105, "score in the domain Natural, null when absent; SQL has a keyword natural, so write \"natural\" in
--       quotes"]
--   document: [double, percent, 0..105, score in the domain Document; null when absent]
--   ecommerce: [double, percent, 0..105, score in the domain E-commerce; null when absent]
--   embodied_ai: [double, percent, 0..105, score in the domain Embodied AI; null when absent]
--   overall: [double, percent, 0..105, "mean of the four domain scores, unrounded; null unless all four are present"]
--   overall_present: [double, percent, not null, 0..105, "mean of the scores of all domains present, domains beyond the four included"]
--   rank: [bigint, rank, 1.., "place by overall within prompt, protocol, reader, provenance and origin; null without overall"]
--   n_domains: [bigint, count, 1.., "domains present, beyond the four included"]
--   n_questions: [bigint, count, questions answered; null for printed rows]
--   n_unparsed: [bigint, count, "replies without a readable choice, scored 0; null for printed rows"]
--   n_failed: [bigint, count, "calls that gave no reply, scored 0; null for printed rows"]
--   note: [varchar, what a reader must know of the row; null when nothing]
--   overall_se: [double, percent, 0.., "standard error of overall, clustered by image: the domains share no images; null for printed rows"]
--   overall_present_se: [double, percent, "standard error of overall_present, clustered by image: the domains share no images; null for
--       printed rows and where a domain has a single image"]
-- intervals:
--   natural: share(natural_questions, natural_images); effective images of the domain - 1 degrees of freedom
--   document: share(document_questions, document_images); effective images of the domain - 1 degrees of freedom
--   ecommerce: share(ecommerce_questions, ecommerce_images); effective images of the domain - 1 degrees of freedom
--   embodied_ai: share(embodied_ai_questions, embodied_ai_images); effective images of the domain - 1 degrees of freedom
--   overall: share(four_questions, freedom + 1); effective images - 4 degrees of freedom
--   overall_present: share(n_questions, freedom_present + 1); effective images - domains degrees of freedom

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
    prompt, model, model_id, size, model_type, provenance, origin, protocol, reader,
    natural_score as natural,
    document_score as document,
    ecommerce_score as ecommerce,
    embodied_ai_score as embodied_ai,
    overall, overall_present,
    case when overall is not null then place end as rank,
    n_domains, n_questions, n_unparsed, n_failed,
    'score from Table 3, absent from the table of the domain: ' || from_main_table as note,
    overall_se, natural_se, document_se, ecommerce_se, embodied_ai_se, overall_present_se, natural_questions, natural_images,
    document_questions, document_images, ecommerce_questions, ecommerce_images, embodied_ai_questions, embodied_ai_images, four_questions,
    freedom, freedom_present
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
