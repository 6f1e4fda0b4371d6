-- shows: Which dimensions of annotated elements captions get right
-- paper: CAPability, Figure 3
-- reads: [capability_figures, capability_rubric]
-- all: true
-- one: judge

-- Of the judge with the most rows the first repetition.
with dimensions as (
    select *, max(figure) over one as most, min(figure) over one as least, count(*) over (partition by provenance, judge) as n_rows
    from capability_figures
    where benchmark = 'capability' and kind = 'dimension' and metric = 'f1' and figure is not null
    window one as (partition by provenance, judge, repeat, section)
    qualify repeat = min(repeat) over (partition by provenance, judge)
)

select
    d.captioner, coalesce(d.captioner_name, d.captioner) as captioner_name, d.provenance, d.judge, r.name, r.view, d.figure as f1,
    case when row_number() over (row order by d.figure desc, d.captioner) = 1 then captioner_name end as best,
    format('CAPability, judged by {}: F1 (%) of each captioner; named: the best', d.judge) as subtitle,
    format(
        '{}: the best captioner reaches {:.0f}%; {}: the worst {:.0f}%', arg_min(r.name, d.most) over board, min(d.most) over board,
        arg_max(r.name, d.least) over board, max(d.least) over board
    ) as title
from dimensions as d
inner join capability_rubric as r on r.benchmark = d.benchmark and r.dimension = d.section
window board as (partition by d.provenance, d.judge), row as (partition by d.provenance, d.judge, d.section)
order by d.n_rows desc, d.judge, avg(d.figure) over (partition by d.provenance, d.judge, r.name), r.name, d.figure desc, d.captioner

VISUALISE name AS y, f1 AS x
DRAW text MAPPING best AS label SETTING hjust => 'left', offset => [4, 0], fill => '#595959'
DRAW point SETTING fill => '#7f7f7f', opacity => 0.5
LABEL title => 'Which dimensions captions get right', x => 'F1, %'
