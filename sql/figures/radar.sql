-- shows: Six captioners over the categories
-- paper: CaptionQA, Figures 24 to 28
-- reads: [captionqa_scores]
-- parameters: {domain: null}
-- one: prompt

with parts as (
    select *, coalesce(nullif(if(level = 'category', category, subcategory), ''), 'none given') as part
    from captionqa_scores
    where evidence = 'caption' and score is not null and level in ('category', 'subcategory') and ($domain is null or domain = $domain)
    qualify level = max(level) filter (where level = 'category' or $domain is not null) over (partition by protocol, reader, prompt, provenance)
),

ranked as ( -- of which the first, the last, and four at equal steps between them are drawn
    select
        condition_id, count(*) over board as n,
        row_number() over (board order by avg(score) desc, captioner) - 1 as place
    from parts
    group by condition_id, protocol, reader, prompt, provenance, captioner
    window board as (partition by protocol, reader, prompt, provenance)
)

select
    p.domain, p.captioner, captioner_name, score, protocol, reader, prompt, provenance,
    part || case when count(distinct p.domain || category) over (partition by protocol, reader, prompt, provenance, part) > 1
        then format(' ({})', if(level = 'category', domain, category)) else '' end as name,
    format('CaptionQA score (%), {} prompt; from the first to the last of {} captioners', prompt, n) as subtitle,
    format(
        'Over the categories the first captioner has {:.0f}% on average, the last {:.0f}%', avg(score) filter (where place = 0) over board,
        avg(score) filter (where place = n - 1) over board
    ) as title
from parts as p inner join ranked using (condition_id)
where n <= 6 or place in (select round(step * (n - 1) / 5) from range(6) as s (step))
window board as (partition by p.protocol, p.reader, p.prompt, p.provenance)
order by prompt <> 'Simple', prompt, place, p.domain, category, part

VISUALISE name AS x, score AS y, captioner_name AS stroke
DRAW line PARTITION BY captioner
PROJECT y, x TO polar
LABEL title => 'Six captioners over the categories'
