-- shows: What each step of the caption prompt gains
-- paper: CaptionQA, Figures 17 to 19 and Section 14.3
-- reads: [prompt_transitions]
-- computed: true

select
    case level when 'domain' then domain else category || case when n_domains > 1 then ' (' || domain || ')' else '' end end as name,
    domain, transition, protocol, reader, provenance, accuracy_gain,
    case when accuracy_gain_low > -100 then accuracy_gain_low when accuracy_gain_low <= -100 then -100 end as low,
    case when accuracy_gain_high < 100 then accuracy_gain_high when accuracy_gain_high >= 100 then 100 end as high,
    format(
        'From Short to Simple captions gain {:.0f} points, from Simple to Long {}', avg(accuracy_gain) filter (where transition = 'Short to Simple') over board,
        replace(round(avg(accuracy_gain) filter (where transition = 'Simple to Long') over board)::integer::varchar, '-', '−')
    ) as title
from (
    select *, approx_count_distinct(domain) over (partition by provenance, level, transition, category, protocol, reader) as n_domains
    from prompt_transitions
    where level in ('category', 'domain') and transition <> 'Short to Long'
)
window board as (partition by provenance, protocol, reader)
qualify bool_or(level = 'category') over board = (level = 'category')
order by
    domain, max(accuracy_gain) filter (where transition = 'Short to Simple') over (partition by provenance, protocol, reader, domain, category) desc, name,
    transition = 'Long to Taxonomy-Hinted', transition

VISUALISE name AS y, domain AS fill, domain AS stroke
PLACE rule SETTING x => 0
DRAW range MAPPING low AS xmin, high AS xmax SETTING hinge => null
DRAW point MAPPING accuracy_gain AS x
FACET transition
SCALE panel RENAMING 'Long to Taxonomy-Hinted' => 'Long to Hinted'
LABEL title => 'What each step of the caption prompt gains', x => 'points',
    subtitle => 'Gain in mean accuracy over captioners'
