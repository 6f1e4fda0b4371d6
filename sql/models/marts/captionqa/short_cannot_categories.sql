-- what: how often readers find no answer in short captions, by category, with the categories above 70 percent marked; prompt Short
-- key: [protocol, reader, provenance, origin, level, domain, category]
-- source: CaptionQA section 14.5
-- columns:
--   protocol, reader, provenance:
--   origin: [varchar, "base table that the figures come from: answers or published"]
--   level: [varchar, [category, domain], "category or domain; of printed figures, domain is computed from the paper's tables and category
--       is what section 14.5 states: those above 70 percent"]
--   domain:
--   category: [varchar, first taxonomy level; empty on the level domain]
--   n_models: [bigint, count, 1.., captioners; null for what section 14.5 states]
--   cannot_rate_offered: [double, percent, 0..100, "share of the answers to questions that offer the cannot option which chose it, over all
--       captioners: the rate of Tables 11 to 26; null where no question offers it and for what section 14.5 states"]
--   n_images: [bigint, count, images; null for printed rows]
--   place: [bigint, rank, 1.., "place by cannot_rate on the level, 1 the highest; null without it"]
--   above_70: [boolean, cannot_rate is above 70 percent; null without it]
--   cannot_rate: [double, percent, 0..100, "share of all answers that chose the cannot option, over all captioners: the rate that section
--       14.5 states; null where it is computed from the paper's tables, which print the other"]
-- intervals:
--   cannot_rate_offered: share(offered_size, offered_clusters); effective images with such a question - 1 degrees of freedom
--   cannot_rate: share(size, clusters)

with images as (
    select
        protocol, reader, provenance, domain, coalesce(category, '') as category,
        case when grouping(category) = 1 then 'domain' else 'category' end as level,
        total(n_answers) as n_answers, total(n_cannot) as n_cannot, total(n_offered) as n_offered, count(distinct captioner) as n_models
    from captionqa_category_images
    where evidence = 'caption' and prompt = 'Short'
    group by grouping sets ((protocol, reader, provenance, domain, image_id), (protocol, reader, provenance, domain, category, image_id))
),

every_origin as (
    select
        protocol, reader, provenance, 'answers' as origin, level, domain, category, max(n_models) as n_models, count(*) as n_images,
        percent_of(sum(n_cannot), sum(n_answers)) as cannot_rate, ratio_error(n_cannot, n_answers) as cannot_rate_se,
        percent_of(sum(n_cannot), sum(n_offered)) as cannot_rate_offered, ratio_error(n_cannot, n_offered) as cannot_rate_offered_se,
        -- Answers of several captioners to a question are no further questions.
        ratio_of(sum(n_answers), max(n_models)) as size, ratio_of(sum(n_offered), max(n_models)) as offered_size,
        effective_clusters(n_answers) as clusters, effective_clusters(n_offered) as offered_clusters
    from images
    where level = 'domain' or category <> ''
    group by protocol, reader, provenance, level, domain, category
    union all
    select
        protocol, reader, provenance, 'published', 'domain', domain, '', count(*), null, null, null,
        ratio_of(sum(exact(cannot_rate_offered)), count(*)), null, null, null, null, null
    from captionqa_scores
    where level = 'domain' and origin = 'published' and prompt = 'Short' and cannot_rate_offered is not null
    group by protocol, reader, provenance, domain
    union all
    select
        paper_protocol(), paper_reader(), 'published', 'published', 'category', domain, category, null, null, value, null,
        null, null, null, null, null, null
    from published
    where benchmark = 'captionqa' and source = 'paper' and item = 'Section 14.5' and metric = 'cannot_rate'
)

select
    *,
    case when cannot_rate is not null
        then rank() over (partition by protocol, reader, provenance, origin, level order by cannot_rate desc nulls last) end as place,
    cannot_rate > 70 as above_70
from every_origin;

-- audit: flag_follows_rate: the flag says what the rate says
select level, domain, category, cannot_rate, above_70
from short_cannot_categories
where above_70 is distinct from (cannot_rate > 70);
