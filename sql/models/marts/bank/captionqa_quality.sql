-- what: the share of questions without an error, before and after the quality control, per domain
-- key: [origin, domain, provenance, stage]
-- source: "CaptionQA Table 2: 50 questions a domain, before and after"
-- columns:
--   origin: [varchar, [ratings, published], "ratings: counted from people's ratings of drawn questions; published:
--       printed"]
--   domain:
--   provenance: [varchar, "published, measured or simulated; of a question and its ratings the one that is believed
--       less"]
--   stage: [varchar, [pre_quality, post_quality], "pre_quality: distinct candidates, before validators and reviewers
--       saw them; post_quality: questions of the bank"]
--   accuracy: [double, percent, 0..100, share of the rated questions that are right; null when none was rated]
--   n_drawn: [bigint, count, "questions that were drawn; null for printed rows, as all counts"]
--   n_rated: [bigint, count, 0.., "number of these that somebody rated"]
--   n_right: [bigint, count, 0.., "number of the rated questions that more people rated as right than as wrong"]
--   n_disputed: [bigint, count, 0.., questions that somebody rated as right and somebody else as wrong]
--   n_ratings: [bigint, count, 0.., ratings]
--   n_images: [bigint, count, images of the rated questions]
-- intervals:
--   accuracy: share(n_base, clusters)

-- The number of drawn questions of a category is proportional to its size, so the share of the drawn questions
-- estimates the share in the domain.
with rated as (
    select
        s.domain, s.stage, s.image_id, s.candidate_id,
        case
            when bool_or(coalesce(r.provenance, s.provenance) = 'simulated' or s.provenance = 'simulated')
                then 'simulated'
            else 'measured'
        end as provenance,
        count(r.reviewer) as n_ratings, count(*) filter (where r.is_right) as n_yes,
        count(*) filter (where not r.is_right) as n_no
    from quality_samples as s
    left join quality_ratings as r on r.stage = s.stage and r.candidate_id = s.candidate_id
    group by s.domain, s.stage, s.image_id, s.candidate_id
),

images as (
    select
        domain, provenance, stage, image_id, count(*) as n_drawn, count(*) filter (where n_ratings > 0) as n_base,
        count(*) filter (where n_yes > n_no) as n_right, count(*) filter (where n_yes > 0 and n_no > 0) as n_disputed,
        sum(n_ratings) as n_ratings
    from rated
    group by domain, provenance, stage, image_id
)

select
    'ratings' as origin, domain, provenance, stage, percent_of(sum(n_right), sum(n_base)) as accuracy,
    sum(n_drawn) as n_drawn,
    sum(n_base) as n_rated, sum(n_right) as n_right, sum(n_disputed) as n_disputed, sum(n_ratings) as n_ratings,
    ratio_error(n_right, n_base) as accuracy_se, count(*) filter (where n_base > 0) as n_images,
    sum(n_base) as n_base, effective_clusters(n_base) as clusters
from images
group by domain, provenance, stage
union all
select 'published', domain, 'published', category, value, null, null, null, null, null, null, null, null, null
from published
where benchmark = 'captionqa' and source = 'paper' and item = 'Table 2' and metric = 'accuracy';

-- audit: right_is_rated: a question that is right was rated
select domain, stage, n_drawn, n_rated, n_right
from captionqa_quality
where n_right > n_rated or n_rated > n_drawn;
