-- shows: Six captioners over the categories
-- paper: CaptionQA, Figures 24 to 28
-- benchmark: captionqa
-- place: 18
-- parameters: {domain: null}
-- one: prompt

with parts as (
    select *, coalesce(nullif(if(level = 'category', category, subcategory), ''), 'none given') as part
    from captionqa_scores
    semi join (select condition_id, origin, section as domain from shown_boards) using (condition_id, origin, domain)
    where evidence = 'caption' and score is not null and level in ('category', 'subcategory') and ($domain is null or domain = $domain)
    qualify level = max(level) filter (where level = 'category' or $domain is not null) over (partition by protocol, reader, prompt, provenance)
),

-- Intervals of the domain, or of the mean of domains: those of parts do not tell of their mean.
wide as (
    select condition_id, score_low, score_high
    from captionqa_scores
    where level in ('overall', 'domain') and ($domain is null or domain = $domain)
    qualify row_number() over (partition by condition_id order by level = 'overall' desc, domain <> 'Overall', domain) = 1
),

-- The first, the last, and four at equal steps between them are drawn. They are compared in the title where all have the same parts.
ranked as (
    select
        condition_id, count(*) over board as n, row_number() over (board order by avg(score) desc, captioner) - 1 as place,
        arg_max(coalesce(any_value(w.score_low), avg(score)), avg(score)) over board
        > arg_min(coalesce(any_value(w.score_high), avg(score)), avg(score)) over board
        and min(bit_xor(hash(domain, category, subcategory))) over board = max(bit_xor(hash(domain, category, subcategory))) over board as is_told
    from parts
    left join wide as w using (condition_id)
    group by condition_id, protocol, reader, prompt, provenance, captioner
    window board as (partition by protocol, reader, prompt, provenance)
)

select
    p.domain, p.captioner, captioner_name, score, protocol, reader, prompt, provenance,
    part || case when count(distinct p.domain || category) over (partition by protocol, reader, prompt, provenance, part) > 1
        then format(' ({})', if(level = 'category', domain, category)) else '' end as name,
    format('CaptionQA score (%), {} prompt; from the first to the last of {} captioners', prompt, n) as subtitle,
    case when is_told and n > 1 then format(
        'Over the categories the first captioner has {:.0f}% on average, the last {:.0f}%', avg(score) filter (where place = 0) over board,
        avg(score) filter (where place = n - 1) over board
    ) end as title
from parts as p inner join ranked using (condition_id)
where n <= 6 or place in (select round(step * (n - 1) / 5) from range(6) as s (step))
window board as (partition by p.protocol, p.reader, p.prompt, p.provenance)
order by prompt <> 'Simple', prompt, place, p.domain, category, part

VISUALISE name AS x, score AS y, captioner_name AS stroke
DRAW line PARTITION BY captioner
PROJECT y, x TO polar
LABEL title => 'Six captioners over the categories'
