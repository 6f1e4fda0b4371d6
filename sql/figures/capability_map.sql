-- shows: Correctness against thoroughness of captioners
-- paper: CAPability and CV-CapBench; no figure of the papers
-- benchmark: capability
-- place: 6

with averages as (
    select
        format('{}, judged by {}', if(benchmark = 'capability', 'CAPability', 'CV-CapBench'), judge) as facet,
        provenance, judge, captioner, captioner_name,
        max(if(metric = 'hit_rate', figure, null)) as hit_rate,
        max(if(metric = 'hit_rate', figure_low, null)) as hit_rate_low,
        max(if(metric = 'hit_rate', figure_high, null)) as hit_rate_high,
        max(if(metric = 'precision', figure, null)) as precision,
        max(if(metric = 'precision', figure_low, null)) as precision_low,
        max(if(metric = 'precision', figure_high, null)) as precision_high
    from capability_figures
    semi join shown_boards using (condition_id, section)
    where section = 'average' and n_dimensions = n_expected and figure is not null
    group by all
    having hit_rate is not null and precision is not null
)

select
    facet, provenance, judge, captioner, captioner_name, hit_rate, hit_rate_low, hit_rate_high, precision,
    precision_low, precision_high,
    case
        when min_over(coalesce(hit_rate_high, hit_rate),
            row(facet, provenance)) < max_over(coalesce(hit_rate_low, hit_rate), row(facet, provenance)) then format(
            '{}: captioners lie {:.0f} points apart in thoroughness', split_part(facet, ',', 1),
            max_over(hit_rate, row(facet, provenance)) - min_over(hit_rate, row(facet, provenance))
        )
    end as title
from averages
order by facet, hit_rate desc, captioner

VISUALISE hit_rate AS x, precision AS y
DRAW text MAPPING captioner_name AS label
DRAW range MAPPING hit_rate_low AS xmin, hit_rate_high AS xmax SETTING hinge => null, stroke => '#595959',
    opacity => 0.5
DRAW range MAPPING precision_low AS ymin, precision_high AS ymax SETTING hinge => null, stroke => '#595959',
    opacity => 0.5
DRAW point SETTING fill => '#595959'
FACET facet SETTING ncol => 2, free => ['x', 'y']
LABEL title => 'Correctness against thoroughness of captioners', x => 'thoroughness: hit rate, %',
    y => 'correctness: precision, %',
    subtitle => 'Averages over the dimensions'
