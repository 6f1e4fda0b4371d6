-- model: captionqa_quality
-- what: share of questions that have no error, before and after people checked them, per domain
-- grain: one row per origin, domain, provenance and stage
-- key: [origin, domain, provenance, stage]
-- inputs: [reviews, candidates, published]
-- source: CaptionQA Table 2
-- columns:
--   origin: [varchar, [reviews, published], "reviews: counted from the decisions of reviewers; published: printed"]
--   domain: [varchar, domain]
--   provenance: [varchar, "published, measured or simulated"]
--   stage: [varchar, [pre_quality, post_quality], "pre_quality: as generated; post_quality: as released"]
--   accuracy: [double, percent, 0..100, "share of the questions that are right; after the check only a second review can tell, so null when
--       counted from one"]
--   n_reviewed: [bigint, count, "candidates that were reviewed; null for printed rows, as all counts"]
--   n_kept: [bigint, count, 0.., "candidates that every reviewer kept as they are: right as generated"]
--   n_fixed: [bigint, count, candidates that a reviewer changed and none dropped]
--   n_dropped: [bigint, count, candidates that a reviewer dropped]
--   n_twice: [bigint, count, "released candidates that at least two reviewers looked at: the denominator of post_quality"]
--   accuracy_se: [double, percent, standard error clustered by image; null for printed rows and for a single image]
--   n_images: [bigint, count, images of the candidates in the denominator]
-- intervals:
--   accuracy: share(n_base, clusters)

-- One row for each candidate: a question is released when nobody dropped it. A second reviewer who keeps what the first one changed or
-- kept is what tells whether the released question is right.
with judged as (
    select
        c.domain, c.image_id, r.candidate_id, r.provenance, count(*) as n_reviews,
        bool_or(r.decision = 'drop') as dropped,
        bool_or(r.decision = 'fix') and not bool_or(r.decision = 'drop') as fixed,
        count(*) filter (where r.decision = 'keep') as n_keeps
    from reviews as r
    inner join candidates as c using (candidate_id)
    group by c.domain, c.image_id, r.candidate_id, r.provenance
),

images as (
    select
        stages.stage, domain, provenance, image_id, count(*) as n,
        count(*) filter (where not dropped and not fixed) as n_kept,
        count(*) filter (where fixed) as n_fixed,
        count(*) filter (where dropped) as n_dropped,
        count(*) filter (where not dropped and n_reviews >= 2) as n_twice,
        count(*) filter (where stages.stage = 'pre_quality' or not dropped and n_reviews >= 2) as n_base,
        count(*) filter (where case stages.stage when 'pre_quality' then not dropped and not fixed
            else not dropped and n_reviews >= 2 and n_keeps >= n_reviews - 1 end) as n_right
    from judged
    cross join (values ('pre_quality'), ('post_quality')) as stages (stage)
    group by stages.stage, domain, provenance, image_id
)

select
    'reviews' as origin, domain, provenance, stage, percent_of(sum(n_right), sum(n_base)) as accuracy, sum(n) as n_reviewed,
    sum(n_kept) as n_kept, sum(n_fixed) as n_fixed, sum(n_dropped) as n_dropped, sum(n_twice) as n_twice,
    ratio_error(n_right, n_base) as accuracy_se, count(*) filter (where n_base > 0) as n_images,
    sum(n_base) as n_base, effective_clusters(n_base) as clusters
from images
group by domain, provenance, stage
union all
select 'published', domain, 'published', category, value, null, null, null, null, null, null, null, null, null
from published
where benchmark = 'captionqa' and source = 'paper' and item = 'Table 2' and metric = 'accuracy';

-- audit: decisions_add_up: a reviewed candidate is kept, fixed or dropped
select domain, stage, n_reviewed, n_kept, n_fixed, n_dropped
from captionqa_quality
where n_reviewed <> n_kept + n_fixed + n_dropped;

-- audit: reviews_of_candidates: a review is about a candidate of the lake, or it would be left out
select r.candidate_id, r.reviewer
from reviews as r
left join candidates as c on c.candidate_id = r.candidate_id
where c.candidate_id is null;
