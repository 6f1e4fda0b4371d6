-- shows: Captioners ranked by people who compared their captions
-- paper: CapArena, Figure 1
-- benchmark: caparena
-- place: 1

select
    captioner, coalesce(captioner_name, captioner) as name, provenance, protocol, facet, value, low, high,
    case when value < 1000 then coalesce(low, value) end as label_left,
    case when value >= 1000 then coalesce(high, value) end as label_right,
    if(captioner = 'human', 'person’s caption', coalesce(nullif(model_type, ''), 'unknown') || ' model') as kind,
    format('{:,} battles', (sum_over(if(facet = 'Elo', n_battles, null), provenance) / 2)::bigint) as note,
    case
        when count_over(facet = 'Elo', provenance) < 2 or count_over(place_low = 1 and facet = 'Elo', provenance) = 0
            then null
        when count_over(place_low = 1 and facet = 'Elo', provenance) = 1
            then format('{} leads: no other captioner may come first', arg_min_over(name, place, provenance))
        else format('{} captioners may come first', count_over(place_low = 1 and facet = 'Elo', provenance))
    end as title
from arena_ranking, lateral (
    values
    ('Elo', elo, elo_low, elo_high),
    ('Bradley-Terry', bradley_terry, bradley_terry_low, bradley_terry_high),
    ('Equal lengths', style, style_low, style_high)
) as f (facet, value, low, high)
where benchmark = 'caparena' and judge = 'people' and value is not null
order by place nulls last, name, captioner, facet = 'Equal lengths', facet desc

VISUALISE
DRAW rule MAPPING 1000 AS x SETTING linetype => 'dashed'
DRAW range MAPPING name AS y, low AS xmin, high AS xmax, kind AS stroke SETTING hinge => null
DRAW point MAPPING name AS y, value AS x, kind AS fill, kind AS stroke
DRAW text MAPPING name AS y, label_right AS x, value AS label SETTING format => '{:num %.0f}', hjust => 'left',
    offset => [5, 0]
DRAW text MAPPING name AS y, label_left AS x, value AS label SETTING format => '{:num %.0f}', hjust => 'right',
    offset => [-5, 0]
SCALE fill FROM ['open model', 'proprietary model', 'rehearsal model', 'unknown model', 'person’s caption']
    TO ['#595959', '#00508a', '#595959', '#008560', '#b34700']
SCALE stroke FROM ['open model', 'proprietary model', 'rehearsal model', 'unknown model', 'person’s caption']
    TO ['#595959', '#00508a', '#595959', '#008560', '#b34700']
FACET facet
LABEL title => 'Captioners ranked by people who compared their captions',
    subtitle => 'Ratings; 1000 is the mean, 400 points are odds of 10 to 1'
