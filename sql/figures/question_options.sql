-- shows: How many options the questions have
-- paper: CaptionQA, Figure 7
-- benchmark: captionqa
-- place: 6

with parts as (
    select
        bank, domain, provenance, least(n_options, 5) as part,
        case part when 5 then '5 and more' else part || ' options' end as options,
        sum(share) as share
    from question_options
    inner join shown_banks using (bank)
    where domain <> 'Total'
    group by all
)

select
    bank, domain, provenance, share, options,
    format(
        'Up to {:.0f}% of a domain’s questions have {}', max_over(share, provenance),
        arg_max_over(if(part = 5, '5 options or more', options), share, provenance)
    ) as title,
    sum(share) over (partition by provenance, domain order by part) as to_share, to_share - share as from_share,
    to_share - share / 2 as middle, case when share >= 4 then share end as written
from parts
order by domain_order(domain), domain, part

VISUALISE domain AS y
DRAW range MAPPING from_share AS xmin, to_share AS xmax, options AS stroke SETTING linewidth => 10, hinge => null
DRAW text MAPPING middle AS x, written AS label SETTING format => '{:num %.0f}'
SCALE stroke FROM ['2 options', '3 options', '4 options', '5 and more'] TO ['#e4e4e4', '#cccccc', '#b4b4b4', '#9a9a9a']
SCALE x FROM [0, 100]
LABEL title => 'How many options the questions have', x => '% of the questions',
    subtitle => 'Without "Cannot answer from the caption", which each question has; numbers from 4%'
