-- shows: How hard the questions are
-- paper: CaptionQA, Figure 29 and Table 10
-- benchmark: captionqa
-- place: 19
-- one: prompt

select
    domain, prompt, protocol, reader, provenance, share, part, from_share, from_share + share as to_share,
    from_share + share / 2 as middle,
    case when min_over(if(domain <> 'Total', hard_share, null),
        row(prompt, provenance)) < max_over(if(domain <> 'Total', hard_share, null), row(prompt, provenance))
        then format(
        '{:.0f} to {:.0f}% of the questions of a domain are hard',
        min_over(if(domain <> 'Total', hard_share, null), row(prompt, provenance)),
        max_over(if(domain <> 'Total', hard_share, null), row(prompt, provenance))
    ) end as title, note
from difficulty_bins
semi join shown_readers using (protocol, reader, provenance), lateral (
    values ('easy', easy_share, 0), ('medium', medium_share, easy_share),
    ('hard', hard_share, easy_share + medium_share)
) as f (part, share, from_share)
where share > 0
order by prompt_place(prompt), domain_order(domain), domain, from_share

VISUALISE domain AS y
DRAW range MAPPING from_share AS xmin, to_share AS xmax, part AS stroke SETTING linewidth => 10, hinge => null
DRAW text MAPPING middle AS x, share AS label SETTING format => '{:num %.1f}'
SCALE stroke FROM ['easy', 'medium', 'hard'] TO ['#e2e2e2', '#b4b4b4', '#e08a5f']
SCALE x FROM [0, 100]
LABEL title => 'How hard the questions are', x => '% of the questions',
    subtitle => 'Easy: at least 80% of the captioners right; hard: fewer than 50%'
