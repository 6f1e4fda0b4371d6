-- shows: "Annotators: how far they agree, and how long they take"
-- paper: CapArena, Section 3.2 and appendix E
-- benchmark: caparena
-- place: 10

select
    case when annotator = 'people' then 'Not named' else coalesce(nullif(annotator, ''), 'All together') end as name,
        provenance, facet, value, low, high,
    coalesce(high, value) as label_at, format('{:,} votes', max_over(n_votes, provenance)) as note,
    case
        when coalesce(annotator, '') = '' then 'all' when n_speed_ups > 0 or n_slow_downs > 0
            then 'faster or slower for a while' else 'steady'
    end as pace,
    case
        when any_over(agreement_low > 50 and coalesce(annotator, '') = '', provenance)
            then format('Annotators agree in {:.0f}% of their votes',
                max_over(if(coalesce(annotator, '') = '', agreement, null), provenance))
    end as title
from arena_annotators, lateral (
    values
    ('Agreement with others, %', agreement, agreement_low, agreement_high),
    ('Median time, seconds', median_seconds, null, null),
    ('Votes that count', n_counted, null, null)
) as f (facet, value, low, high)
where benchmark = 'caparena' and level = 'all' and value is not null
order by coalesce(annotator, '') <> '', n_votes desc, name, facet

VISUALISE name AS y
DRAW range MAPPING low AS xmin, high AS xmax, pace AS stroke SETTING hinge => null
DRAW point MAPPING value AS x, pace AS fill, pace AS stroke
DRAW text MAPPING label_at AS x, value AS label SETTING format => '{:num %.0f}', hjust => 'left', offset => [5, 0]
SCALE fill FROM ['all', 'steady', 'faster or slower for a while'] TO ['#1a1a1a', '#8a8a8a', '#b34700']
    RENAMING 'all' => '', 'steady' => ''
SCALE stroke FROM ['all', 'steady', 'faster or slower for a while'] TO ['#1a1a1a', '#8a8a8a', '#b34700']
    RENAMING 'all' => '', 'steady' => ''
FACET facet SETTING free => 'x'
LABEL title => 'How far annotators agree, and how long they take',
    subtitle => 'Coloured: 18 of 20 votes in a row faster, or slower, than the median'
