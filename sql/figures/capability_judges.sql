-- shows: The same captioners before several judges
-- no_demo: "its captions are judged by one judge"
-- paper: CAPability, Figure A1
-- benchmark: capability
-- place: 5

-- Only captioners that every judge has judged: others say nothing about the judges.
with judged as (
    select *, distinct_over(judge, row(provenance, captioner)) as n_judges,
        distinct_over(judge, provenance) as all_judges
    from capability_figures
    where benchmark = 'capability' and section = 'average' and n_dimensions = n_expected
    qualify repeat = min_over(repeat, row(provenance, captioner, judge))
),

figures as (
    select
        captioner, captioner_name, judge, provenance, metric, all_judges, figure as value, figure_low as low,
        figure_high as high,
        case metric when 'precision' then 'Precision' when 'recall' then 'Recall' when 'f1' then 'F1'
            else 'Hit rate' end as title_of
    from judged
    where n_judges = all_judges and all_judges > 1
),

agreement as (
    select provenance, metric, min(spearman) as rho, min(coalesce(spearman_low, spearman)) as rho_low,
        count(spearman) as n_pairs
    from capability_judges
    where benchmark = 'capability' and dimension = 'average' group by all
)

select captioner, captioner_name, judge, judge as judge_name, provenance, value, low, high,
    title_of || coalesce(format(' (ρ ≥ {:.2f})', rho), '') as facet,
    case
        when min_over(rho, provenance) > 0.8 and min_over(rho_low, provenance) > 0.5
            and min_over(n_pairs, provenance) = max_over(all_judges * (all_judges - 1) / 2, provenance)
            then format('Judges order captioners alike: ρ is {:.2f} or more', min_over(rho, provenance))
    end as title
from figures
left join agreement using (provenance, metric)
order by max_over(if(metric = 'f1', value, null), row(provenance, captioner)) desc, captioner,
    strpos('precision recall f1 hit_rate', metric), judge

VISUALISE captioner_name AS y
DRAW range MAPPING low AS xmin, high AS xmax, judge_name AS stroke SETTING hinge => null, opacity => 0.5
DRAW point MAPPING value AS x, judge_name AS fill, judge_name AS stroke
FACET facet
LABEL title => 'The same captioners before several judges', x => '%',
    subtitle => 'Averages over the dimensions; ρ: least rank correlation between two judges'
