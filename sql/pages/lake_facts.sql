-- shows: What the results were made from
-- columns:
--   - {name: what}

with facts as (
    select 1 as place, number_of(count(distinct image_id), 'image') as what, count(*) as n from images
    union all
    select
        2, format('{} about {}', number_of(count(*), 'question'), number_of(count(distinct image_id), 'image')),
        count(*)
    from questions
    union all
    select
        3, format('{} of {}', number_of(count(*), 'caption'), number_of(count(distinct captioner), 'captioner')),
        count(*)
    from captions
    union all
    select 4, 'last run ' || strftime(max(finished_at) at time zone 'UTC', '%Y-%m-%d'), count(*) from runs
)

select what
from facts
where n > 0
order by place
