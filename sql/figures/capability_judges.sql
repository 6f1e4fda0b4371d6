-- shows: The same captioners before several judges
-- no_demo: "its captions are judged by one judge"
-- paper: CAPability, Figure A1
-- reads: [capability_figures, capability_judges]
-- all: true

-- Only captioners that every judge has judged: others say nothing about the judges.
with judged as (
    select *, count(distinct judge) over (partition by provenance, captioner) as n_judges, count(distinct judge) over (partition by provenance) as n_all
    from capability_figures
    where benchmark = 'capability' and section = 'average' and n_dimensions = n_expected
    qualify repeat = min(repeat) over (partition by provenance, captioner, judge)
),

figures as (
    select
        captioner, captioner_name, judge, provenance, metric, figure as value, figure_low as low, figure_high as high,
        case metric when 'precision' then 'Precision' when 'recall' then 'Recall' when 'f1' then 'F1' else 'Hit rate' end as title_of
    from judged
    where n_judges = n_all and n_all > 1
),

agreement as (
    select provenance, metric, min(spearman) as rho
    from capability_judges
    where benchmark = 'capability' and dimension = 'average' group by all
)

select captioner, captioner_name, judge, judge as judge_name, provenance, value, low, high, title_of || coalesce(format(' (ρ ≥ {:.2f})', rho), '') as facet,
    case when min(rho) over (partition by provenance) > 0.8 then format('Judges order captioners alike: ρ is {:.2f} or more', min(rho) over (partition by provenance)) end as title
from figures
left join agreement using (provenance, metric)
order by max(value) filter (where metric = 'f1') over (partition by provenance, captioner) desc, captioner, position(metric in 'precision recall f1 hit_rate'), judge

VISUALISE captioner_name AS y, judge_name AS fill, judge_name AS stroke
DRAW range MAPPING low AS xmin, high AS xmax SETTING hinge => null, opacity => 0.5
DRAW point MAPPING value AS x
FACET facet
LABEL title => 'The same captioners before several judges', x => '%',
    subtitle => 'Averages over the dimensions; ρ: least rank correlation between two judges'
