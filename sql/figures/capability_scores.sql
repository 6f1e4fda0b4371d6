-- shows: Which dimensions of annotated elements captions get right
-- paper: CAPability, Figure 3
-- reads: [capability_dimensions, capability_rubric]
-- all: true

-- Of the judge with the most rows the first repetition.
with judged as (
    select *
    from (select *, count(*) over (partition by benchmark, provenance, judge) as n_rows from capability_dimensions where benchmark = 'capability' and f1 is not null)
    qualify dense_rank() over (partition by benchmark, provenance order by n_rows desc, judge) = 1
        and repeat = min(repeat) over (partition by benchmark, provenance, judge)
)

select
    j.captioner, coalesce(j.captioner_name, j.captioner) as captioner_name, j.provenance, j.judge, r.name, j.view, j.f1,
    case when row_number() over (row order by j.f1 desc, j.captioner) = 1 then captioner_name end as best,
    format('CAPability, judged by {}: F1 (%) of each captioner; named: the best', j.judge) as subtitle
from judged as j
inner join capability_rubric as r using (benchmark, dimension)
window row as (partition by j.benchmark, j.provenance, j.dimension)
order by avg(j.f1) over (partition by j.provenance, r.name), r.name

VISUALISE name AS y, f1 AS x
DRAW text MAPPING best AS label SETTING hjust => 'left', offset => [4, 0], fill => '#595959'
DRAW point SETTING fill => '#7f7f7f', opacity => 0.5
LABEL title => 'Which dimensions captions get right', x => 'F1, %'
