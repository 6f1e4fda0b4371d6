-- shows: Three captioners over the dimensions of annotated elements
-- paper: CAPability, Figure 3; CV-CapBench, Table 2
-- benchmark: capability
-- place: 2

with scored as (
    select *, figure as f1, avg(figure) over one as mean, count(*) over one as n_here
    from capability_figures
    semi join shown_boards using (condition_id, section)
    where kind = 'dimension' and metric = 'f1' and figure is not null
    window one as (partition by condition_id)
),

averages as (
    select condition_id, any_value(figure_low) as low, any_value(figure_high) as high
    from capability_figures
    where section = 'average' and metric = 'f1'
    group by condition_id
),

-- Averages are compared of captioners that have all dimensions.
placed as (
    select
        * exclude (low, high), dense_rank() over (board order by mean desc, captioner) - 1 as place,
        arg_max(coalesce(low, mean), mean) over board as first_low, arg_min(coalesce(high, mean), mean) over board as last_high
    from (select *, max(n_here) over (partition by benchmark, provenance) as most from scored)
    left join averages using (condition_id)
    where n_here = most
    window board as (partition by benchmark, provenance)
)

select
    captioner, coalesce(captioner_name, captioner) as captioner_name, provenance, judge, r.name, f1, if(p.benchmark = 'capability', 'CAPability', 'CV-CapBench') as of,
    format('{}, judged by {}', of, judge) as facet,
    case when p.first_low > p.last_high and round(max(mean) over board) > round(min(mean) over board)
        then format('On {} the first captioner has an F1 of {:.0f}% on average, the last {:.0f}%', of, max(mean) over board, min(mean) over board) end as title
from placed as p
inner join capability_rubric as r on r.benchmark = p.benchmark and r.dimension = p.section
window board as (partition by p.benchmark, provenance)
qualify p.place in (0, max(p.place) over board // 2, max(p.place) over board) -- the first, the one in the middle and the last
order by facet, p.place, list_position(['object', 'global', 'text', 'camera', 'temporal', 'knowledge'], r.view), r.place

VISUALISE name AS x, f1 AS y, captioner_name AS stroke
DRAW line PARTITION BY captioner
SCALE y FROM [0, 100]
FACET facet
PROJECT y, x TO polar
LABEL title => 'Three captioners over the dimensions of annotated elements',
    subtitle => 'F1 (%); on each benchmark the first, the one in the middle and the last'
