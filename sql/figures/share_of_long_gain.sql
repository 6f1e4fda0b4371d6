-- shows: How much of the Long prompt's gain the Simple prompt reaches
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
        when max(share_of_long_high - share_of_long_low) over board <= 50 and min(share_of_long_low) over board > 0 and min(n_models) over board > 1
            and round(min(share_of_long) over board) < round(max(share_of_long) over board) then format(
            'The Simple prompt reaches {:.0f} to {:.0f}% of the Long prompt’s gain', min(share_of_long) over board, max(share_of_long) over board
        )
    end as title
from prompt_transitions
semi join shown_readers using (protocol, reader, provenance)
where level = 'category' and transition = 'Short to Simple' and share_of_long is not null
window board as (partition by provenance)
order by share_of_long desc, domain, name

VISUALISE name AS y, domain AS fill, domain AS stroke
PLACE rule SETTING x => 100, linetype => 'dashed'
DRAW range MAPPING low AS xmin, high AS xmax SETTING hinge => null
DRAW point MAPPING share_of_long AS x
DRAW text MAPPING label_at AS x, share_of_long AS label, null AS fill SETTING format => '{:num %.0f}%', hjust => 'left', offset => [5, 0]
LABEL title => 'How much of the Long prompt’s gain the Simple prompt reaches', x => 'share of the gain, %',
    subtitle => 'In accuracy; no interval where it is wider than 100 points'
