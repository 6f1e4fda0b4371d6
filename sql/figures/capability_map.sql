-- shows: Correctness against thoroughness of captioners
-- paper: CAPability and CV-CapBench; no figure of the papers
-- reads: [capability_figures]
-- all: true

with averages as ( -- of each judge's first repetition
    select
        format('{}, judged by {}', if(benchmark = 'capability', 'CAPability', 'CV-CapBench'), judge) as facet, provenance, judge, captioner, captioner_name,
        arg_min({v: figure, low: figure_low, high: figure_high}, repeat) filter (where metric = 'hit_rate') as hit,
        arg_min({v: figure, low: figure_low, high: figure_high}, repeat) filter (where metric = 'precision') as precise
    from capability_figures
    where section = 'average' and n_dimensions = n_expected and figure is not null
    group by all having hit is not null and precise is not null
)

select
    facet, provenance, judge, captioner, captioner_name, hit.v as hit_rate, hit.low as hit_rate_low, hit.high as hit_rate_high,
    precise.v as precision, precise.low as precision_low, precise.high as precision_high,
    format('{}: captioners lie {:.0f} points apart in thoroughness', split_part(facet, ',', 1), max(hit.v) over panel - min(hit.v) over panel) as title
from averages
window panel as (partition by facet, provenance)
order by facet, hit_rate desc

VISUALISE hit_rate AS x, precision AS y
DRAW text MAPPING captioner_name AS label
DRAW range MAPPING hit_rate_low AS xmin, hit_rate_high AS xmax SETTING hinge => null, stroke => '#595959', opacity => 0.5
DRAW range MAPPING precision_low AS ymin, precision_high AS ymax SETTING hinge => null, stroke => '#595959', opacity => 0.5
DRAW point SETTING fill => '#595959'
FACET facet SETTING ncol => 2, free => ['x', 'y']
LABEL title => 'Correctness against thoroughness of captioners', x => 'thoroughness: hit rate, %', y => 'correctness: precision, %',
    subtitle => 'Averages over the dimensions'
