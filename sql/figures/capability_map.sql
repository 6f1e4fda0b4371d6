-- shows: Correctness against thoroughness of captioners
-- paper: CAPability and CV-CapBench; no figure of the papers
-- benchmark: capability
-- place: 6

with averages as (
    select
        format('{}, judged by {}', if(benchmark = 'capability', 'CAPability', 'CV-CapBench'), judge) as facet, provenance, judge, captioner, captioner_name,
        any_value({v: figure, low: figure_low, high: figure_high}) filter (where metric = 'hit_rate') as hit,
        any_value({v: figure, low: figure_low, high: figure_high}) filter (where metric = 'precision') as precise
    from capability_figures
    semi join shown_boards using (condition_id, section)
    where section = 'average' and n_dimensions = n_expected and figure is not null
    group by all
    having hit is not null and precise is not null
)

select
    facet, provenance, judge, captioner, captioner_name, hit.v as hit_rate, hit.low as hit_rate_low, hit.high as hit_rate_high,
    precise.v as precision, precise.low as precision_low, precise.high as precision_high,
    case when min(coalesce(hit.high, hit.v)) over panel < max(coalesce(hit.low, hit.v)) over panel then format(
        '{}: captioners lie {:.0f} points apart in thoroughness', split_part(facet, ',', 1), max(hit.v) over panel - min(hit.v) over panel
    ) end as title
from averages
window panel as (partition by facet, provenance)
order by facet, hit_rate desc, captioner

VISUALISE hit_rate AS x, precision AS y
DRAW text MAPPING captioner_name AS label
DRAW range MAPPING hit_rate_low AS xmin, hit_rate_high AS xmax SETTING hinge => null, stroke => '#595959', opacity => 0.5
DRAW range MAPPING precision_low AS ymin, precision_high AS ymax SETTING hinge => null, stroke => '#595959', opacity => 0.5
DRAW point SETTING fill => '#595959'
FACET facet SETTING ncol => 2, free => ['x', 'y']
LABEL title => 'Correctness against thoroughness of captioners', x => 'thoroughness: hit rate, %', y => 'correctness: precision, %',
    subtitle => 'Averages over the dimensions'
