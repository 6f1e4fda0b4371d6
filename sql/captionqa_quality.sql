-- model: captionqa_quality
-- what: share of questions that are right, before and after people checked them, per domain
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

with decisions as (
    select candidate_id, decision, provenance
    from reviews
),

items as (
    select candidate_id, image_id, domain
    from candidates
),

printed as (
    select domain, category as stage, value
    from published
    where benchmark = 'captionqa' and source = 'paper' and item = 'Table 2' and metric = 'accuracy'
),

-- One row for each candidate: a question is released when nobody dropped it. A second reviewer who keeps what the first
-- one changed or kept is what tells whether the released question is right.
judged as (
    select
        i.domain, i.image_id, i.candidate_id, d.provenance,
        count(*) as n_reviews,
        max(case when d.decision = 'fix' then 1 else 0 end) as fixed,
        max(case when d.decision = 'drop' then 1 else 0 end) as dropped,
        sum(case when d.decision = 'keep' then 1 else 0 end) as keeps
    from decisions as d
    inner join items as i on i.candidate_id = d.candidate_id
    group by i.domain, i.image_id, i.candidate_id, d.provenance
),

graded as (
    select
        stages.stage, j.domain, j.provenance, j.image_id,
        count(*) as n,
        sum(case when j.fixed = 0 and j.dropped = 0 then 1 else 0 end) as n_kept,
        sum(case when j.fixed = 1 and j.dropped = 0 then 1 else 0 end) as n_fixed,
        sum(j.dropped) as n_dropped,
        sum(case when j.dropped = 0 and j.n_reviews >= 2 then 1 else 0 end) as n_twice,
        sum(case when stages.stage = 'pre_quality' then 1 when j.dropped = 0 and j.n_reviews >= 2 then 1 else 0 end) as n_base,
        sum(case
            when stages.stage = 'pre_quality' and j.fixed = 0 and j.dropped = 0 then 1
            when stages.stage = 'post_quality' and j.dropped = 0 and j.n_reviews >= 2 and j.keeps >= j.n_reviews - 1 then 1
            else 0
        end) as n_right
    from judged as j
    cross join (values ('pre_quality'), ('post_quality')) as stages (stage)
    group by stages.stage, j.domain, j.provenance, j.image_id
),

totals as (
    select
        stage, domain, provenance,
        sum(n) as n_reviewed, sum(n_kept) as n_kept, sum(n_fixed) as n_fixed, sum(n_dropped) as n_dropped,
        sum(n_twice) as n_twice, sum(n_base) as n_base, sum(n_right) as n_right,
        sum(case when n_base > 0 then 1 else 0 end) as n_images, clusters_of(sum(n_base), sum(n_base * n_base)) as clusters
    from graded
    group by stage, domain, provenance
),

squares as (
    select g.stage, g.domain, g.provenance, sum(exact_square(surplus(g.n_right, g.n_base, t.n_right, t.n_base))) as squares
    from graded as g
    inner join totals as t on t.stage = g.stage and t.domain = g.domain and t.provenance = g.provenance
    group by g.stage, g.domain, g.provenance
),

both_origins as (
    select
        'reviews' as origin, t.domain, t.provenance, t.stage,
        percent_of(t.n_right, t.n_base) as accuracy,
        t.n_reviewed, t.n_kept, t.n_fixed, t.n_dropped, t.n_twice,
        cluster_error(s.squares, t.n_images, t.n_base) as accuracy_se,
        t.n_images, t.n_base, t.clusters
    from totals as t
    inner join squares as s on s.stage = t.stage and s.domain = t.domain and s.provenance = t.provenance
    union all
    select
        'published' as origin, domain, 'published' as provenance, stage,
        value as accuracy,
        null as n_reviewed, null as n_kept, null as n_fixed, null as n_dropped, null as n_twice,
        null as accuracy_se, null as n_images, null as n_base, null as clusters
    from printed
)

select
    b.origin, b.domain, b.provenance, b.stage, b.accuracy, b.n_reviewed, b.n_kept, b.n_fixed, b.n_dropped, b.n_twice, b.accuracy_se,
    b.n_images, b.n_base, b.clusters
from both_origins as b;

-- audit: decisions_add_up: a reviewed candidate is kept, fixed or dropped
select domain, stage, n_reviewed, n_kept, n_fixed, n_dropped
from captionqa_quality
where n_reviewed <> n_kept + n_fixed + n_dropped;

-- audit: reviews_of_candidates: a review is about a candidate of the lake, or it would be left out
select r.candidate_id, r.reviewer
from reviews as r
left join candidates as c on c.candidate_id = r.candidate_id
where c.candidate_id is null;
