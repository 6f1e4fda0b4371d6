-- shows: What the results were made from
-- columns:
--   - {name: what}

with counted as (
    select 1 as place, 'image' as noun, count(*) as n, count(distinct image_id) as n_of from images
    union all
    select 2, 'question', count(*), count(distinct image_id) from questions
    union all
    select 3, 'caption', count(*), count(distinct captioner) from captions
),

facts as (
    select
        place, n,
        case noun when 'image' then '' else format('{:,} {}{} ', n, noun, if(n = 1, '', 's')) end
        || case noun when 'image' then '' when 'question' then 'about ' else 'of ' end
        || format('{:,} {}{}', n_of, if(noun = 'caption', 'captioner', 'image'), if(n_of = 1, '', 's')) as what
    from counted
    union all
    select 4, count(*), 'last run ' || strftime(max(finished_at) at time zone 'UTC', '%Y-%m-%d') from runs
)

select what
from facts
where n > 0
order by place
