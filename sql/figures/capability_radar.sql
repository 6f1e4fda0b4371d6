-- shows: Three captioners over the dimensions of annotated elements
-- paper: CAPability, Figure 3; CV-CapBench, Table 2
-- reads: [capability_figures, capability_rubric]
-- all: true

with judged as (
    select *
    from (
        select *, count(*) over (partition by benchmark, provenance, judge) as n_rows
        from capability_figures
        where kind = 'dimension' and metric = 'f1' and figure is not null
    )
    qualify dense_rank() over (partition by benchmark, provenance order by n_rows desc, judge) = 1
        and repeat = min(repeat) over (partition by benchmark, provenance, judge)
),

-- The first, the one in the middle and the last.
ranked as (
    select benchmark, provenance, captioner, count(*) over board as n, row_number() over (board order by avg(figure) desc, captioner) - 1 as place
    from judged
    group by benchmark, provenance, captioner
    window board as (partition by benchmark, provenance)
)

select
    j.captioner, coalesce(j.captioner_name, j.captioner) as captioner_name, j.provenance, j.judge, r.name, j.figure as f1,
    case j.benchmark when 'capability' then 'CAPability' else 'CV-CapBench' end || ', judged by ' || j.judge as facet
from judged as j
inner join ranked as k using (benchmark, provenance, captioner)
inner join capability_rubric as r on r.benchmark = j.benchmark and r.dimension = j.section
where k.place in (0, (k.n - 1) // 2, k.n - 1)
order by facet, k.place, list_position(['object', 'global', 'text', 'camera', 'temporal', 'knowledge'], r.view), r.place

VISUALISE name AS x, f1 AS y, captioner_name AS stroke
DRAW line PARTITION BY captioner
SCALE y FROM [0, 100]
FACET facet
PROJECT y, x TO polar
LABEL title => 'Three captioners over the dimensions of annotated elements',
    subtitle => 'F1 (%); on each benchmark the first, the one in the middle and the last'
