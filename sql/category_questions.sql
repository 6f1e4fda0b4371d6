-- model: category_questions
-- what: how the questions of a domain spread over the first level of its taxonomy
-- grain: one row per origin, bank, domain and category
-- key: [origin, bank, domain, category]
-- inputs: [questions, published]
-- source: CaptionQA Figures 9 to 12 and section 8.1; printed counts from Table 9
-- columns:
--   origin: [varchar, [questions, published], "questions: counted; published: printed"]
--   bank: [varchar, "sample, simulation, ingested, or CaptionQA for printed rows"]
--   domain: [varchar, domain]
--   category: [varchar, first taxonomy level; empty when the bank names none]
--   n_questions: [bigint, count, 0.., questions]
--   share: [double, percent, 0..100, "share of the questions of the domain, by the counts of the same rows"]
--   share_se: [double, percent, "standard error of share, clustered by image; null for printed rows and for a single image of the domain"]
--   place: [bigint, rank, 1.., "place by number of questions within the domain, 1 the most"]
--   n_images: [bigint, count, images that have such a question; null for printed rows]
--   n_subcategories: [bigint, count, second-level nodes with a question; null for printed rows]
--   stated_share: [double, percent, 0..100, "share that section 8.1 states, which need not be that of Table 9's counts; null where it
--       states none and for counted rows"]
-- intervals:
--   share: share(n_all, clusters); effective images of the domain - 1 degrees of freedom

with bank_questions as (
    select
        case source when 'captionlake sample set' then 'sample' when 'captionlake simulation' then 'simulation' else 'ingested' end as bank,
        domain, category, subcategory, image_id, question_id, len(options) as n_options, yes_no
    from questions
),

printed as (
    select domain, category, value
    from published
    where benchmark = 'captionqa' and source = 'paper' and item = 'Table 9' and metric = 'questions'
),

stated as (
    select domain, category, value
    from published
    where benchmark = 'captionqa' and source = 'paper' and item = 'Section 8.1' and metric = 'question_share'
),

images as (
    select bank, domain, image_id, count(*) as n_all
    from bank_questions
    group by bank, domain, image_id
),

totals as (
    select bank, domain, sum(n_all) as n_all, count(*) as n_images
    from images
    group by bank, domain
),

categories as (
    select bank, domain, category, image_id, count(*) as n
    from bank_questions
    group by bank, domain, category, image_id
),

category_totals as (
    select bank, domain, category, sum(n) as n
    from categories
    group by bank, domain, category
),

-- An image without a question of the category counts with none.
errors as (
    select
        c.bank, c.domain, c.category, t.n_all, clusters_of(sum(i.n_all), sum(i.n_all * i.n_all)) as clusters,
        parts_error(sum(exact_square(share_part(coalesce(p.n, 0), i.n_all, c.n, t.n_all))), count(*)) as share_se
    from category_totals as c
    inner join totals as t on t.bank = c.bank and t.domain = c.domain
    inner join images as i on i.bank = c.bank and i.domain = c.domain
    left join categories as p on p.bank = c.bank and p.domain = c.domain and p.category = c.category and p.image_id = i.image_id
    group by c.bank, c.domain, c.category, t.n_all
),

both_origins as (
    select
        'questions' as origin, bank, domain, category,
        count(*) as n_questions,
        count(distinct image_id) as n_images,
        count(distinct case when subcategory <> '' then subcategory end) as n_subcategories
    from bank_questions
    group by bank, domain, category
    union all
    select
        'published' as origin, 'CaptionQA' as bank, domain, category,
        value as n_questions,
        null as n_images, null as n_subcategories
    from printed
),

shares as (
    select
        origin, bank, domain, category, n_questions, n_images, n_subcategories,
        percent_of(n_questions, sum(n_questions) over (partition by origin, bank, domain)) as share,
        rank() over (partition by origin, bank, domain order by n_questions desc) as place
    from both_origins
)

select
    b.origin, b.bank, b.domain, b.category, b.n_questions, b.share, e.share_se, b.place, b.n_images, b.n_subcategories,
    s.value as stated_share,
    e.n_all, e.clusters
from shares as b
left join errors as e on b.origin = 'questions' and e.bank = b.bank and e.domain = b.domain and e.category = b.category
left join stated as s on s.domain = b.domain and s.category = b.category and b.origin = 'published';

-- audit: shares_add_up: the shares of a domain add up to 100 percent
select origin, bank, domain, sum(share) as total
from category_questions
group by origin, bank, domain
having abs(sum(share) - 100) > 0.000001;

-- audit: stated_shares_have_counts: every share that the text states has its row
select s.domain, s.category, s.value
from published as s
left join category_questions as q on q.origin = 'published' and q.domain = s.domain and q.category = s.category
where s.benchmark = 'captionqa' and s.source = 'paper' and s.item = 'Section 8.1' and s.metric = 'question_share'
    and q.stated_share is null;
