-- shows: Which dimensions of annotated elements captions get right
-- paper: CAPability, Figure 3
-- reads: [capability_figures, capability_rubric]
-- all: true

-- Of the judge with the most rows the first repetition.
with judged as (
    select *
    from (
        select *, count(*) over (partition by provenance, judge) as n_rows
        from capability_figures
        where benchmark = 'capability' and kind = 'dimension' and metric = 'f1' and figure is not null
    )
    qualify dense_rank() over (partition by provenance order by n_rows desc, judge) = 1
        and repeat = min(repeat) over (partition by provenance, judge)
)

select
    j.captioner, coalesce(j.captioner_name, j.captioner) as captioner_name, j.provenance, j.judge, r.name, r.view, j.figure as f1,
    case when row_number() over (row order by j.figure desc, j.captioner) = 1 then captioner_name end as best,
    format('CAPability, judged by {}: F1 (%) of each captioner; named: the best', j.judge) as subtitle,
    format(
        '{}: the best captioner reaches {:.0f}%; {}: the worst {:.0f}%', arg_min(r.name, j.most) over board, min(j.most) over board,
        arg_max(r.name, j.least) over board, max(j.least) over board
    ) as title
from (select *, max(figure) over one as most, min(figure) over one as least from judged window one as (partition by provenance, section)) as j
inner join capability_rubric as r on r.benchmark = j.benchmark and r.dimension = j.section
window board as (partition by j.provenance), row as (partition by j.provenance, j.section)
order by avg(j.figure) over (partition by j.provenance, r.name), r.name, j.figure desc, j.captioner

VISUALISE name AS y, f1 AS x
DRAW text MAPPING best AS label SETTING hjust => 'left', offset => [4, 0], fill => '#595959'
DRAW point SETTING fill => '#7f7f7f', opacity => 0.5
LABEL title => 'Which dimensions captions get right', x => 'F1, %'
