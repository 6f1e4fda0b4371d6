-- shows: Three captioners over the dimensions of annotated elements
-- paper: CAPability, Figure 3; CV-CapBench, Table 2
-- reads: [capability_figures, capability_rubric]
-- all: true

with scored as ( -- in each judge's first repetition
    select *, figure as f1, avg(figure) over (partition by benchmark, provenance, judge, repeat, captioner) as mean
    from capability_figures
    where kind = 'dimension' and metric = 'f1' and figure is not null
    qualify repeat = min(repeat) over (partition by benchmark, provenance, judge)
),

placed as (
    select *, dense_rank() over (board order by mean desc, captioner) - 1 as place
    from scored window board as (partition by benchmark, provenance, judge)
)

select
    captioner, coalesce(captioner_name, captioner) as captioner_name, provenance, judge, r.name, f1, if(p.benchmark = 'capability', 'CAPability', 'CV-CapBench') as of,
    format('{}, judged by {}', of, judge) as facet,
    format('On {} the first captioner has an F1 of {:.0f}% on average, the last {:.0f}%', of, max(mean) over board, min(mean) over board) as title
from placed as p
inner join capability_rubric as r on r.benchmark = p.benchmark and r.dimension = p.section
window board as (partition by p.benchmark, provenance, judge)
qualify p.place in (0, max(p.place) over board // 2, max(p.place) over board) -- the first, the one in the middle and the last
order by facet, p.place, list_position(['object', 'global', 'text', 'camera', 'temporal', 'knowledge'], r.view), r.place

VISUALISE name AS x, f1 AS y, captioner_name AS stroke
DRAW line PARTITION BY captioner
SCALE y FROM [0, 100]
FACET facet
PROJECT y, x TO polar
LABEL title => 'Three captioners over the dimensions of annotated elements',
    subtitle => 'F1 (%); on each benchmark the first, the one in the middle and the last'
