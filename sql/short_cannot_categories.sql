-- model: short_cannot_categories
-- what: "how often readers find no answer in short captions: the categories above 70 percent are flagged"
-- grain: one row per protocol, reader, provenance, origin, level, domain and category; prompt Short
-- key: [protocol, reader, provenance, origin, level, domain, category]
-- inputs: [captionqa_image_sums, captionqa_results, published]
-- source: CaptionQA section 14.5
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the model that answered]
--   provenance: [varchar, "published, measured or simulated"]
--   origin: [varchar, "base table that the figures come from: answers or published"]
--   level: [varchar, [category, domain], "category or domain; of printed figures, domain is computed from the paper's tables and category
--       is what section 14.5 states: those above 70 percent"]
--   domain: [varchar, domain]
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

with sums as (
    select protocol, reader, provenance, model_id, domain, category, image_id, n_answers, n_cannot, n_offered
    from captionqa_image_sums
    where evidence = 'caption' and prompt = 'Short'
),

printed as (
    select protocol, reader, provenance, domain, count(*) as n_models, ratio_of(sum(exact(cannot_rate_offered)), count(*)) as rate
    from captionqa_results
    where origin = 'published' and prompt = 'Short' and cannot_rate_offered is not null
    group by protocol, reader, provenance, domain
),

stated as (
    select domain, category, value
    from published
    where benchmark = 'captionqa' and source = 'paper' and item = 'Section 14.5' and metric = 'cannot_rate'
),

per_image as (
    select
        s.protocol, s.reader, s.provenance, v.level, s.domain, v.category, s.image_id,
        sum(s.n_answers) as n_answers, sum(s.n_cannot) as n_cannot, sum(s.n_offered) as n_offered, count(distinct s.model_id) as n_models
    from sums as s
    cross join lateral (values ('category', s.category), ('domain', '')) as v (level, category)
    where v.level = 'domain' or s.category <> ''
    group by s.protocol, s.reader, s.provenance, v.level, s.domain, v.category, s.image_id
),

totals as (
    select
        protocol, reader, provenance, level, domain, category,
        sum(n_answers) as n_answers, sum(n_cannot) as n_cannot, sum(n_offered) as n_offered, max(n_models) as n_models,
            count(*) as n_images,
        sum(case when n_offered > 0 then 1 else 0 end) as n_offered_images,
        clusters_of(sum(n_answers), sum(n_answers * n_answers)) as clusters,
        clusters_of(sum(n_offered), sum(n_offered * n_offered)) as offered_clusters
    from per_image
    group by protocol, reader, provenance, level, domain, category
),

squares as (
    select
        p.protocol, p.reader, p.provenance, p.level, p.domain, p.category,
        sum(exact_square(surplus(p.n_cannot, p.n_answers, t.n_cannot, t.n_answers))) as squares,
        sum(exact_square(surplus(p.n_cannot, p.n_offered, t.n_cannot, t.n_offered))) as offered_squares
    from per_image as p
    inner join totals as t
        on t.protocol = p.protocol and t.reader = p.reader and t.provenance = p.provenance and t.level = p.level
        and t.domain = p.domain and t.category = p.category
    group by p.protocol, p.reader, p.provenance, p.level, p.domain, p.category
),

both_origins as (
    select
        t.protocol, t.reader, t.provenance, 'answers' as origin, t.level, t.domain, t.category, t.n_models, t.n_images,
        -- Answers of several captioners to a question are no further questions.
        ratio_of(t.n_answers, t.n_models) as size, ratio_of(t.n_offered, t.n_models) as offered_size, t.clusters, t.offered_clusters,
        percent_of(t.n_cannot, t.n_answers) as cannot_rate,
        cluster_error(s.squares, t.n_images, t.n_answers) as cannot_rate_se,
        percent_of(t.n_cannot, t.n_offered) as cannot_rate_offered,
        cluster_error(s.offered_squares, t.n_offered_images, t.n_offered) as cannot_rate_offered_se
    from totals as t
    inner join squares as s
        on s.protocol = t.protocol and s.reader = t.reader and s.provenance = t.provenance and s.level = t.level
        and s.domain = t.domain and s.category = t.category
    union all
    select
        protocol, reader, provenance, 'published' as origin, 'domain' as level, domain, '' as category, n_models, null as n_images,
        null as size, null as offered_size, null as clusters, null as offered_clusters,
        null as cannot_rate, null as cannot_rate_se, rate as cannot_rate_offered, null as cannot_rate_offered_se
    from printed
    union all
    select
        'captionqa/upstream' as protocol, paper_reader() as reader, 'published' as provenance, 'published' as origin, 'category' as level,
        domain, category, null as n_models, null as n_images,
        null as size, null as offered_size, null as clusters, null as offered_clusters,
        value as cannot_rate, null as cannot_rate_se, null as cannot_rate_offered, null as cannot_rate_offered_se
    from stated
)

select
    b.protocol, b.reader, b.provenance, b.origin, b.level, b.domain, b.category, b.n_models, b.cannot_rate_offered,
    b.cannot_rate_offered_se, b.n_images,
    case when b.cannot_rate is not null
        then rank() over (partition by b.protocol, b.reader, b.provenance, b.origin, b.level
            order by b.cannot_rate desc nulls last) end as place,
    b.cannot_rate > 70 as above_70,
    b.cannot_rate, b.cannot_rate_se, b.offered_size, b.offered_clusters, b.size, b.clusters
from both_origins as b;

-- audit: interval_around_rate: an interval holds its estimate and has a width
select level, domain, category, cannot_rate, cannot_rate_low, cannot_rate_high, cannot_rate_offered, cannot_rate_offered_low,
    cannot_rate_offered_high
from short_cannot_categories
where cannot_rate not between cannot_rate_low and cannot_rate_high or cannot_rate_low = cannot_rate_high
    or cannot_rate_offered not between cannot_rate_offered_low and cannot_rate_offered_high
        or cannot_rate_offered_low = cannot_rate_offered_high;

-- audit: flag_follows_rate: the flag says what the rate says
select level, domain, category, cannot_rate, above_70
from short_cannot_categories
where above_70 is distinct from (cannot_rate > 70);
