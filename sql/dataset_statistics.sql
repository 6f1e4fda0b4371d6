-- model: dataset_statistics
-- what: the size of every question bank by domain, beside the sizes that the paper prints
-- grain: one row per bank and domain, and one per bank for all its domains (domain Total)
-- key: [origin, bank, domain]
-- inputs: [questions, images, taxonomy, published]
-- source: CaptionQA Table 1
-- columns:
--   origin: [varchar, [questions, published], "base table that the row comes from: questions or published"]
--   bank: [varchar, "bank counted: sample for the sample set, simulation for simulated questions, ingested for all others; CaptionQA for
--       the printed sizes"]
--   domain: [varchar, "domain, or Total"]
--   provenance: [varchar, [published, measured, simulated], "published, measured when the rows of the lake were counted, or simulated when
--       those were simulated"]
--   source_item: [varchar, table of the paper; null when counted]
--   questions: [bigint, count, not null, 0.., questions]
--   images: [bigint, count, not null, 0.., "items that the questions are about, several frames counting as one"]
--   top_level: [bigint, count, first-level taxonomy nodes that have a question; Total adds the domains up]
--   subcategories: [bigint, count, second-level taxonomy nodes that have a question; 0 when the bank names only the first level]
--   questions_per_image: [double, count, 0.., questions divided by images]
--   questions_per_image_se: [double, count, "standard error of questions_per_image, images being drawn; null for printed sizes and for a
--       single image"]
--   frames: [bigint, count, pictures of the items that the lake knows of; null for printed sizes]
--   taxonomy_top_level: [bigint, count, first-level nodes of the domain's taxonomy; null for printed sizes]
--   taxonomy_subcategories: [bigint, count, second-level nodes of the domain's taxonomy; null for printed sizes]
-- intervals:
--   questions_per_image: t(images); images - 1 degrees of freedom

-- A bank often comes as several files, so the file that a question came from does not tell the bank.
with bank_questions as (
    select
        case source when 'captionlake sample set' then 'sample' when 'captionlake simulation' then 'simulation'
            else 'ingested' end as source,
        domain,
        image_id,
        category,
        subcategory
    from questions
),

frames as (
    select image_id, frame
    from images
),

nodes as (
    select domain, category, subcategory, level
    from taxonomy
),

printed as (
    select item, domain, metric, value
    from published
    where benchmark = 'captionqa' and source = 'paper' and item = 'Table 1'
),

question_counts as (
    select source, domain, count(*) as questions, count(distinct image_id) as images
    from bank_questions
    group by source, domain
),

used_nodes as (
    select distinct source, domain, category, subcategory
    from bank_questions
    where category <> ''
),

node_counts as (
    select
        source,
        domain,
        count(distinct category) as top_level,
        sum(case when subcategory <> '' then 1 else 0 end) as subcategories
    from used_nodes
    group by source, domain
),

items as (
    select distinct source, domain, image_id
    from bank_questions
),

frame_counts as (
    select i.source, i.domain, count(*) as frames
    from items as i
    inner join frames as f on f.image_id = i.image_id
    group by i.source, i.domain
),

taxonomy_counts as (
    select
        domain,
        sum(case when level = 1 then 1 else 0 end) as top_level,
        sum(case when level = 2 then 1 else 0 end) as subcategories
    from nodes
    group by domain
),

by_domain as (
    select
        q.source as bank,
        q.domain,
        q.questions,
        q.images,
        coalesce(n.top_level, 0) as top_level,
        coalesce(n.subcategories, 0) as subcategories,
        coalesce(f.frames, 0) as frames,
        t.top_level as taxonomy_top_level,
        t.subcategories as taxonomy_subcategories
    from question_counts as q
    left join node_counts as n on n.source = q.source and n.domain = q.domain
    left join frame_counts as f on f.source = q.source and f.domain = q.domain
    left join taxonomy_counts as t on t.domain = q.domain
),

-- Images are counted anew: the audit below finds an image that two domains claim.
bank_images as (
    select source as bank, count(distinct image_id) as images
    from bank_questions
    group by source
),

image_counts as (
    select q.source as bank, series.domain, q.image_id, count(*) as n
    from bank_questions as q
    cross join lateral (values (q.domain), ('Total')) as series (domain)
    group by q.source, series.domain, q.image_id
),

spreads as (
    select bank, domain, deviation_of(sum(n), sum(n * n), count(*)) / sqrt(count(*)) as se
    from image_counts
    group by bank, domain
),

totals as (
    select
        d.bank,
        'Total' as domain,
        sum(d.questions) as questions,
        max(b.images) as images,
        sum(d.top_level) as top_level,
        sum(d.subcategories) as subcategories,
        sum(d.frames) as frames,
        sum(d.taxonomy_top_level) as taxonomy_top_level,
        sum(d.taxonomy_subcategories) as taxonomy_subcategories
    from by_domain as d
    inner join bank_images as b on b.bank = d.bank
    group by d.bank
),

counted as (
    select bank, domain, questions, images, top_level, subcategories, frames, taxonomy_top_level, taxonomy_subcategories
    from by_domain
    union all
    select bank, domain, questions, images, top_level, subcategories, frames, taxonomy_top_level, taxonomy_subcategories
    from totals
),

printed_sizes as (
    select
        item,
        domain,
        max(case when metric = 'questions' then value end) as questions,
        max(case when metric = 'images' then value end) as images,
        max(case when metric = 'top_level' then value end) as top_level,
        max(case when metric = 'subcategories' then value end) as subcategories
    from printed
    group by item, domain
),

both_origins as (
    select
        'questions' as origin, bank, domain,
        case bank when 'simulation' then 'simulated' else 'measured' end as provenance,
        null as source_item,
        questions, images, top_level, subcategories, frames, taxonomy_top_level, taxonomy_subcategories
    from counted
    union all
    select
        'published' as origin, 'CaptionQA' as bank, domain, 'published' as provenance, item as source_item,
        questions, images, top_level, subcategories, null as frames, null as taxonomy_top_level, null as taxonomy_subcategories
    from printed_sizes
)

select
    b.origin, b.bank, b.domain, b.provenance, b.source_item, b.questions, b.images, b.top_level, b.subcategories,
    ratio_of(b.questions, b.images) as questions_per_image,
    s.se as questions_per_image_se,
    b.frames, b.taxonomy_top_level, b.taxonomy_subcategories
from both_origins as b
left join spreads as s on b.origin = 'questions' and s.bank = b.bank and s.domain = b.domain;

-- audit: totals_add_up: the row Total is the sum of the domains; an image with questions in two breaks it
select t.origin, t.bank, t.questions, d.questions as domain_questions, t.images, d.images as domain_images
from dataset_statistics as t
inner join (
    select origin, bank, sum(questions) as questions, sum(images) as images
    from dataset_statistics
    where domain <> 'Total'
    group by origin, bank
) as d on d.origin = t.origin and d.bank = t.bank
where t.origin <> 'published' and t.domain = 'Total' and (t.questions <> d.questions or t.images <> d.images);

-- audit: no_question_without_image: every question must be about some image
select question_id
from questions
where image_id = '';
