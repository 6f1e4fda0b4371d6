-- what: the size of every question bank by domain, beside the sizes that the paper prints
-- key: [origin, bank, domain]
-- source: CaptionQA Table 1
-- columns:
--   origin: [varchar, [questions, published], "base table that the row comes from: questions or published"]
--   bank: [varchar, "bank counted: sample for the sample set, simulation for simulated questions, ingested for all
--       others; CaptionQA for the printed sizes"]
--   domain: [varchar, "domain, or Total"]
--   provenance: [varchar, [published, measured, simulated], "published, measured when the rows of the lake were
--       counted, or simulated when those were simulated"]
--   source_item: [varchar, table of the paper; null when counted]
--   questions: [bigint, count, not null, 0.., questions]
--   images: [bigint, count, not null, 0.., "items that the questions are about, several frames counting as one"]
--   top_level: [bigint, count, first-level taxonomy nodes that have a question; Total adds the domains up]
--   subcategories: [bigint, count, second-level taxonomy nodes that have a question; 0 when the bank names only the
--       first level]
--   questions_per_image: [double, count, 0.., questions divided by images]
--   questions_per_image_se: [double, count, "standard error of questions_per_image, images being drawn; null for
--       printed sizes and for a single image"]
--   frames: [bigint, count, pictures of the items that the lake knows of; null for printed sizes]
--   taxonomy_top_level: [bigint, count, first-level nodes of the domain's taxonomy; null for printed sizes]
--   taxonomy_subcategories: [bigint, count, second-level nodes of the domain's taxonomy; null for printed sizes]
-- intervals:
--   questions_per_image: t(images); images - 1 degrees of freedom

with asked as (
    select bank_of(q.source) as bank, series.domain, q.domain as own_domain, q.image_id, q.category, q.subcategory
    from questions as q
    cross join lateral (values (q.domain), ('Total')) as series (domain)
),

frames as (
    select image_id, count(*) as n_frames
    from images
    group by image_id
),

items as (
    select bank, domain, image_id, count(*) as n
    from asked
    group by bank, domain, image_id
),

sizes as (
    select
        bank, domain, sum(n) as questions, count(*) as images, coalesce(sum(n_frames), 0) as frames,
        deviation_of(sum(n), sum(n * n), count(*)) / sqrt(count(*)) as questions_per_image_se
    from items
    left join frames using (image_id)
    group by bank, domain
),

-- Nodes with the same name in two domains are two nodes.
used as (
    select
        bank, domain,
        count(distinct case when category <> '' then concat_ws(chr(10), own_domain, category) end) as top_level,
        count(distinct case when category <> '' and subcategory <> ''
            then concat_ws(chr(10), own_domain, category, subcategory) end)
            as subcategories
    from asked
    group by bank, domain
),

nodes as (
    select
        bank, a.domain,
        count(*) filter (where level = 1) as taxonomy_top_level,
        count(*) filter (where level = 2) as taxonomy_subcategories
    from (select distinct bank, domain, own_domain from asked) as a
    inner join taxonomy as t on t.domain = a.own_domain
    group by bank, a.domain
),

both_origins as (
    select
        'questions' as origin, bank, domain, case bank when 'simulation' then 'simulated'
            else 'measured' end as provenance,
        null as source_item, questions, images, top_level, subcategories, questions_per_image_se, frames,
        taxonomy_top_level, taxonomy_subcategories
    from sizes
    inner join used using (bank, domain)
    left join nodes using (bank, domain)
    union all
    select
        'published', 'CaptionQA', domain, 'published', item,
        printed_value(metric, 'questions', value), printed_value(metric, 'images', value),
        printed_value(metric, 'top_level', value), printed_value(metric, 'subcategories', value), null, null, null, null
    from published
    where benchmark = 'captionqa' and source = 'paper' and item = 'Table 1'
    group by item, domain
)

select *, ratio_of(questions, images) as questions_per_image
from both_origins;

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
