-- shows: Six captioners over the categories
-- paper: CaptionQA, Figures 24 to 28
-- benchmark: captionqa
-- place: 18
-- parameters: {domain: null}
-- one: prompt

with parts as (
    select
        *, coalesce(nullif(if(level = 'category', category, subcategory), ''), 'none given') as part,
        concat_ws('/', protocol, reader, prompt, provenance) as board
    from captionqa_scores
    semi join (select condition_id, origin, section as domain from shown_boards) using (condition_id, origin, domain)
    where evidence = 'caption' and score is not null and level in ('category', 'subcategory')
        and (getvariable('domain') is null or domain = getvariable('domain'))
    qualify level = max_over(if(level = 'category' or getvariable('domain') is not null, level, null), board)
),

-- Intervals of the domain, or of the mean of domains, because intervals of categories say nothing about their mean.
wide as (
    select condition_id, score_low, score_high
    from captionqa_scores
    where level in ('overall', 'domain') and (getvariable('domain') is null or domain = getvariable('domain'))
    qualify row_number() over (partition by condition_id order by level desc, domain) = 1 -- overall before domain
),

-- The first, the last, and four at equal steps between them are drawn. The title compares them if all have the same
-- categories.
of_captioners as (
    select
        condition_id, board, captioner, avg(p.score) as score,
        coalesce(any_value(w.score_low), avg(p.score)) as score_low,
        coalesce(any_value(w.score_high), avg(p.score)) as score_high,
        bit_xor(hash(domain, category, subcategory)) as parts
    from parts as p
    left join wide as w using (condition_id)
    group by condition_id, board, captioner
),

ranked as (
    select
        condition_id, count_over(true, board) as n,
        row_number() over (partition by board order by score desc, captioner) - 1 as place,
        arg_max_over(score_low, score, board) > arg_min_over(score_high, score, board)
        and min_over(parts, board) = max_over(parts, board) as is_told
    from of_captioners
)

select
    p.domain, p.captioner, captioner_name, score, protocol, reader, prompt, provenance,
    part || case when distinct_over(p.domain || category, row(board, part)) > 1
        then format(' ({})', if(level = 'category', domain, category)) else '' end as name,
    format('CaptionQA score (%), {} prompt; from the first to the last of {} captioners', prompt, n) as subtitle,
    case when is_told and n > 1 then format(
        'Over the categories the first captioner has {:.0f}% on average, the last {:.0f}%',
        avg_over(if(place = 0, score, null), board),
        avg_over(if(place = n - 1, score, null), board)
    ) end as title
from parts as p inner join ranked using (condition_id)
where n <= 6 or place in (select round(step * (n - 1) / 5) from range(6) as s (step))
order by prompt_place(prompt), place, domain_order(p.domain), p.domain, category, part

VISUALISE name AS x, score AS y, captioner_name AS stroke
DRAW line PARTITION BY captioner
PROJECT y, x TO polar
LABEL title => 'Six captioners over the categories'
