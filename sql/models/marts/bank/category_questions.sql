-- what: the number of questions of each first-level category of a domain's taxonomy
-- key: [origin, bank, domain, category]
-- source: CaptionQA Figures 9 to 12 and section 8.1; printed counts from Table 9
-- columns:
--   origin: [varchar, [questions, published], "questions: counted; published: printed"]
--   bank: [varchar, "sample, simulation, ingested, or CaptionQA for printed rows"]
--   domain:
--   category: [varchar, first taxonomy level; empty when the bank names none]
--   n_questions: [bigint, count, 0.., questions]
--   share: [double, percent, 0..100, "share of the questions of the domain, by the counts of the same rows"]
--   share_se: [double, percent, "standard error of share, clustered by image; null for printed rows and for a single
--       image of the domain"]
--   place: [bigint, rank, 1.., "place by number of questions within the domain, 1 the most"]
--   n_images: [bigint, count, images that have such a question; null for printed rows]
--   n_subcategories: [bigint, count, second-level nodes with a question; null for printed rows]
--   stated_share: [double, percent, 0..100, "share that section 8.1 states, which need not follow from Table 9's
--       counts; null where it states none and for counted rows"]
-- intervals:
--   share: share(n_all, clusters); effective images of the domain - 1 degrees of freedom

with counted as (
    select
        bank_of(source) as bank, domain, category, image_id, count(*) as n,
        sum(count(*)) over (partition by bank_of(source), domain, image_id) as n_image
    from questions
    group by bank_of(source), domain, category, image_id
),

banks as (
    select bank, domain, sum(n_image) as n_all, sum(n_image * n_image) as squares, count(*) as n_images_all
    from (select distinct bank, domain, image_id, n_image from counted) as images
    group by bank, domain
),

nodes as (
    select bank_of(source) as bank, domain, category,
        count(distinct case when subcategory <> '' then subcategory end) as n_subcategories
    from questions
    group by bank_of(source), domain, category
),

stated as (
    select domain, category, value as stated_share
    from published
    where benchmark = 'captionqa' and source = 'paper' and item = 'Section 8.1' and metric = 'question_share'
),

-- An image without a question of the category adds nothing to the sums of the category, but adds to the sums of all
-- questions.
both_origins as (
    select
        'questions' as origin, bank, domain, category, sum(n) as n_questions, count(*) as n_images, n_subcategories,
        n_all, clusters_of(n_all, squares) as clusters, null as stated_share,
        ratio_error_of(sum(n), n_all, sum(n * n), sum(n * n_image), squares, n_images_all) as share_se
    from counted
    inner join banks using (bank, domain)
    inner join nodes using (bank, domain, category)
    group by bank, domain, category, n_subcategories, n_all, squares, n_images_all
    union all
    select 'published', 'CaptionQA', domain, category, value, null, null, null, null, stated_share, null
    from published
    left join stated using (domain, category)
    where benchmark = 'captionqa' and source = 'paper' and item = 'Table 9' and metric = 'questions'
)

select
    *, percent_of(n_questions, sum(n_questions) over (partition by origin, bank, domain)) as share,
    rank() over (partition by origin, bank, domain order by n_questions desc) as place
from both_origins;

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
