-- shows: Three captioners over the dimensions of annotated elements
-- paper: CAPability, Figure 3; CV-CapBench, Table 2
-- benchmark: capability
-- place: 2

with scored as (
    select *, figure as f1, avg_over(figure, condition_id) as mean, count_over(true, condition_id) as n_here
    from capability_figures
    semi join shown_boards using (condition_id, section)
    where kind = 'dimension' and metric = 'f1' and figure is not null
),

averages as (
    select condition_id, any_value(figure_low) as low, any_value(figure_high) as high
    from capability_figures
    where section = 'average' and metric = 'f1'
    group by condition_id
),

-- Only averages of captioners that have all dimensions are compared.
placed as (
    select
        * exclude (low, high), dense_rank() over (partition by benchmark, provenance order by mean desc,
            captioner) - 1 as place,
        arg_max_over(coalesce(low, mean), mean, row(benchmark, provenance)) as first_low,
        arg_min_over(coalesce(high, mean), mean, row(benchmark, provenance)) as last_high
    from (select *, max_over(n_here, row(benchmark, provenance)) as most from scored)
    left join averages using (condition_id)
    where n_here = most
)

select
    captioner, coalesce(captioner_name, captioner) as captioner_name, provenance, judge, r.name, f1,
    if(p.benchmark = 'capability', 'CAPability', 'CV-CapBench') as of,
    case p.place when 0 then 'First' when last_place then 'Last' else 'Middle' end as position,
    format('{}: {}', position, concat_ws(
        '; ', max_over(if(of = 'CAPability', captioner_name, null), row(position, provenance)),
        max_over(if(of = 'CV-CapBench', captioner_name, null), row(position, provenance))
    )) as positions,
    format('{}, judged by {}', of, judge) as facet,
    case when p.first_low > p.last_high and round(max_over(mean, row(p.benchmark, provenance)))
        > round(min_over(mean, row(p.benchmark, provenance)))
        then format('On {} the first captioner has an F1 of {:.0f}% on average, the last {:.0f}%', of,
            max_over(mean, row(p.benchmark, provenance)), min_over(mean, row(p.benchmark, provenance))) end as title
from (select *, max_over(place, row(benchmark, provenance)) as last_place from placed) as p
inner join capability_rubric as r on r.benchmark = p.benchmark and r.dimension = p.section
where p.place in (0, floor(last_place / 2), last_place)
order by facet, p.place, list_position(list_value('object', 'global', 'text', 'camera', 'temporal', 'knowledge'),
    r.view), r.place

VISUALISE name AS x, f1 AS y, positions AS stroke
DRAW line PARTITION BY captioner
SCALE y FROM [0, 100]
FACET facet
PROJECT y, x TO polar
LABEL title => 'Three captioners over the dimensions of annotated elements',
    subtitle => 'F1 (%) of the first, the middle and the last captioner; names as the charts'
