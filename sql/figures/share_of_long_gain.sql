-- shows: How much of the Long prompt’s gain the Simple prompt reaches
-- paper: CaptionQA, Sections 5.1 and 14.3
-- benchmark: captionqa
-- place: 15
-- computed: true

select
    category as name, domain, protocol, reader, provenance, share_of_long,
    case when share_of_long_high - share_of_long_low <= 100 then share_of_long_low end as low,
    case when share_of_long_high - share_of_long_low <= 100 then share_of_long_high end as high,
    case when share_of_long_high - share_of_long_low <= 100 then share_of_long_high else share_of_long end as label_at,
    case
        when max_over(share_of_long_high - share_of_long_low, provenance) <= 50
            and min_over(share_of_long_low, provenance) > 0 and min_over(n_models, provenance) > 1
            and round(min_over(share_of_long, provenance)) < round(max_over(share_of_long, provenance)) then format(
            'The Simple prompt reaches {:.0f} to {:.0f}% of the Long prompt’s gain',
            min_over(share_of_long, provenance), max_over(share_of_long, provenance)
        )
    end as title
from prompt_transitions
semi join shown_readers using (protocol, reader, provenance)
where level = 'category' and transition = 'Short to Simple' and share_of_long is not null
order by share_of_long desc, domain_order(domain), name

VISUALISE
DRAW rule MAPPING 100 AS x SETTING linetype => 'dashed'
DRAW range MAPPING name AS y, low AS xmin, high AS xmax, domain AS stroke SETTING hinge => null
DRAW point MAPPING name AS y, share_of_long AS x, domain AS fill, domain AS stroke
DRAW text MAPPING name AS y, label_at AS x, share_of_long AS label SETTING format => '{:num %.0f}%', hjust => 'left',
    offset => [5, 0]
LABEL title => 'How much of the Long prompt’s gain the Simple prompt reaches', x => 'share of the gain, %',
    subtitle => 'In accuracy; no interval where it is wider than 100 points'
