-- shows: Which categories are hard, and where captioners differ
-- paper: CaptionQA, Figures 24 to 28
-- benchmark: captionqa
-- place: 17
-- computed: true
-- parameters: {domain: null}
-- one: prompt

-- Subcategories of a domain that is asked for, or categories.
with parts as (
    select
        *, coalesce(nullif(if(level = 'category', category, subcategory), ''), 'none given') as part,
        concat_ws('/', protocol, reader, prompt, provenance) as board,
        avg_over(score, row(board, domain, category, subcategory)) as mean_of_part,
        avg_over(coalesce(score_low, score), row(board, domain, category, subcategory)) as mean_low,
        avg_over(coalesce(score_high, score), row(board, domain, category, subcategory)) as mean_high,
        count_over(true, row(board, domain, category, subcategory)) as n_here,
        row_number() over (partition by protocol, reader, prompt, provenance, domain, category,
            subcategory order by score desc, captioner) as place
    from captionqa_scores
    semi join (select condition_id, origin, section as domain from shown_boards) using (condition_id, origin, domain)
    where evidence = 'caption' and score is not null and level in ('category', 'subcategory')
        and (getvariable('domain') is null or domain = getvariable('domain'))
    qualify level = max_over(if(level = 'category' or getvariable('domain') is not null, level, null), board)
),

-- The title compares categories over all captioners. The mean of the ends of the captioners' intervals is an interval
-- of their mean, however the captioners correlate.
named as (
    select
        *, distinct_over(domain || category, row(board, part)) as n_alike,
        part || case when n_alike > 1 then format(' ({})', if(level = 'category', domain, category))
            else '' end as name,
        distinct_over(captioner, board) as n_captioners
    from parts
)

select
    protocol, reader, prompt, provenance, domain, captioner, captioner_name, score,
    name,
    case when place = 1 then mean_of_part end as mean,
    case when place = 1 then captioner_name end as best,
    format('CaptionQA score (%) by {}, {} prompt; named: the best; coloured: the mean of {}', level, prompt,
        n_captioners) as subtitle,
    case
        when max_over(mean_of_part, board) - min_over(mean_of_part, board) > 5 and n_captioners > 1
            and min_over(n_here, board) = n_captioners
            and arg_min_over(mean_high, mean_of_part, board) < arg_max_over(mean_low, mean_of_part, board) then format(
            '{} is hardest ({:.0f}%), {} easiest ({:.0f}%)', arg_min_over(name, mean_of_part, board),
            min_over(mean_of_part, board),
            arg_max_over(name, mean_of_part, board), max_over(mean_of_part, board)
        )
    end as title
from named
order by prompt_place(prompt), round(mean_of_part, 9), domain, name, score desc, captioner

VISUALISE name AS y, score AS x
DRAW text MAPPING best AS label SETTING hjust => 'left', offset => [4, 0], fill => '#595959'
DRAW point SETTING fill => '#9a9a9a', opacity => 0.5
DRAW point MAPPING mean AS x, domain AS fill
LABEL title => 'Which categories are hard, and where captioners differ', x => 'score, %'
