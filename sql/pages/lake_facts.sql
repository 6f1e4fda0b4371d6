-- shows: What the results were made from
-- columns:
--   - {name: what}

with facts as (
    select 1 as place, format('{:,} image{}', count(distinct image_id), if(count(distinct image_id) = 1, '', 's')) as what, count(*) as n from images
    union all
    select 2, format(
        '{:,} question{} about {:,} image{}', count(*), if(count(*) = 1, '', 's'), count(distinct image_id), if(count(distinct image_id) = 1, '', 's')
    ), count(*) from questions
    union all
    select 3, format(
        '{:,} caption{} of {:,} captioner{}', count(*), if(count(*) = 1, '', 's'), count(distinct captioner), if(count(distinct captioner) = 1, '', 's')
    ), count(*) from captions
    union all
    select 4, 'last run ' || strftime(max(finished_at) at time zone 'UTC', '%Y-%m-%d'), count(*) from runs
)

select what
from facts
where n > 0
order by place
