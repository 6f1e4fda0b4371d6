-- shows: What the lake holds
-- columns:
--   - {name: what, head: Table}
--   - {name: n, head: Rows, decimals: 0}

with counted as (
    select 1 as place, 'images' as what, count(*) as n from images
    union all
    select 2 as place, 'questions' as what, count(*) as n from questions
    union all
    select 3 as place, 'captions' as what, count(*) as n from captions
    union all
    select 4 as place, 'calls' as what, count(*) as n from calls
    union all
    select 5 as place, 'answers' as what, count(*) as n from answers
    union all
    select 6 as place, 'annotations' as what, count(*) as n from annotations
    union all
    select 7 as place, 'judgments' as what, count(*) as n from judgments
    union all
    select 8 as place, 'element_answers' as what, count(*) as n from element_answers
    union all
    select 9 as place, 'battles' as what, count(*) as n from battles
    union all
    select 10 as place, 'votes' as what, count(*) as n from votes
    union all
    select 11 as place, 'published' as what, count(*) as n from published
    union all
    select 12 as place, 'models' as what, count(*) as n from models
    union all
    select 13 as place, 'candidates' as what, count(*) as n from candidates
    union all
    select 14 as place, 'blind_trials' as what, count(*) as n from blind_trials
    union all
    select 15 as place, 'embeddings' as what, count(*) as n from embeddings
    union all
    select 16 as place, 'validations' as what, count(*) as n from validations
    union all
    select 17 as place, 'routes' as what, count(*) as n from routes
    union all
    select 18 as place, 'reviews' as what, count(*) as n from reviews
    union all
    select 19 as place, 'quality_samples' as what, count(*) as n from quality_samples
    union all
    select 20 as place, 'quality_ratings' as what, count(*) as n from quality_ratings
)

select what, n
from counted
where n > 0
order by place
