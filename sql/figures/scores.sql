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
        avg(score) over one as mean_of_part, avg(coalesce(score_low, score)) over one as mean_low, avg(coalesce(score_high, score)) over one as mean_high,
        count(*) over one as n_here, count(distinct domain || category) over (partition by protocol, reader, prompt, provenance, part) as n_alike
    from captionqa_scores
    semi join (select condition_id, origin, section as domain from shown_boards) using (condition_id, origin, domain)
    where evidence = 'caption' and score is not null and level in ('category', 'subcategory') and ($domain is null or domain = $domain)
    window one as (partition by protocol, reader, prompt, provenance, domain, category, subcategory)
    qualify level = max(level) filter (where level = 'category' or $domain is not null) over (partition by protocol, reader, prompt, provenance)
),

-- The title compares parts over all captioners; the mean of the ends of intervals is an interval, however the captioners go together.
named as (
    select
        *, part || case when n_alike > 1 then format(' ({})', if(level = 'category', domain, category)) else '' end as name,
        count(distinct captioner) over (partition by protocol, reader, prompt, provenance) as n_captioners
    from parts
)

select
    protocol, reader, prompt, provenance, domain, captioner, captioner_name, score,
    name,
    case when row_number() over (row order by score desc, captioner) = 1 then mean_of_part end as mean,
    case when row_number() over (row order by score desc, captioner) = 1 then captioner_name end as best,
    format('CaptionQA score (%) by {}, {} prompt; named: the best; coloured: the mean of {}', level, prompt, n_captioners) as subtitle,
    case
        when max(mean_of_part) over board - min(mean_of_part) over board > 5 and n_captioners > 1 and min(n_here) over board = n_captioners
            and arg_min(mean_high, mean_of_part) over board < arg_max(mean_low, mean_of_part) over board then format(
            '{} is hardest ({:.0f}%), {} easiest ({:.0f}%)', arg_min(name, mean_of_part) over board, min(mean_of_part) over board,
            arg_max(name, mean_of_part) over board, max(mean_of_part) over board
        )
    end as title
from named
window board as (partition by protocol, reader, prompt, provenance), row as (partition by protocol, reader, prompt, provenance, domain, category, subcategory)
order by prompt <> 'Simple', prompt, round(mean_of_part, 9), domain, name, score desc, captioner

VISUALISE name AS y, score AS x
DRAW text MAPPING best AS label SETTING hjust => 'left', offset => [4, 0], fill => '#595959'
DRAW point SETTING fill => '#9a9a9a', opacity => 0.5
DRAW point MAPPING mean AS x, domain AS fill
LABEL title => 'Which categories are hard, and where captioners differ', x => 'score, %'
