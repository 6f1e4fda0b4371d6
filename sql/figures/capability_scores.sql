-- for:
--   capability_scores: {benchmark: capability, title: CAPability, place: Figure 3}
--   cv_capbench_scores: {benchmark: cv-capbench, title: CV-CapBench, place: Table 2}
-- shows: Which dimensions of annotated elements captions get right
-- paper: $title, $place
-- benchmark: $benchmark
-- place: 1
-- one: judge

with dimensions as (
    select
        *, max(figure) over one as most, max(coalesce(figure_high, figure)) over one as most_high,
        min(figure) over one as least, min(coalesce(figure_low, figure)) over one as least_low, count(*) over one as n_captioners
    from capability_figures
    semi join shown_boards using (condition_id, section)
    where benchmark = '$benchmark' and kind = 'dimension' and metric = 'f1' and figure is not null
    window one as (partition by provenance, section)
)

select
    d.captioner, coalesce(d.captioner_name, d.captioner) as captioner_name, d.provenance, d.judge, r.name, r.view, d.figure as f1,
    case when row_number() over (row order by d.figure desc, d.captioner) = 1 then captioner_name end as best,
    format('$title, judged by {}: F1 (%) of each captioner; named: the best', d.judge) as subtitle,
    case when min(d.n_captioners) over board > 1 and min(d.most_high) over board < max(d.least_low) over board then format(
        '{}: the best captioner reaches {:.0f}%; {}: the worst {:.0f}%', arg_min(r.name, d.most_high) over board,
        arg_min(d.most, d.most_high) over board, arg_max(r.name, d.least_low) over board, arg_max(d.least, d.least_low) over board
    ) end as title
from dimensions as d
inner join capability_rubric as r on r.benchmark = d.benchmark and r.dimension = d.section
window board as (partition by d.provenance), row as (partition by d.provenance, d.section)
order by avg(d.figure) over (partition by d.provenance, r.name), r.name, d.figure desc, d.captioner

VISUALISE name AS y, f1 AS x
DRAW text MAPPING best AS label SETTING hjust => 'left', offset => [4, 0], fill => '#595959'
DRAW point SETTING fill => '#7f7f7f', opacity => 0.5
LABEL title => 'Which dimensions captions get right', x => 'F1, %'
