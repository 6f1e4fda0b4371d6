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
        *, max_over(figure, row(provenance, section)) as most,
        max_over(coalesce(figure_high, figure), row(provenance, section)) as most_high,
        min_over(figure, row(provenance, section)) as least,
        min_over(coalesce(figure_low, figure), row(provenance, section)) as least_low,
        count_over(true, row(provenance, section)) as n_captioners,
        row_number() over (partition by provenance, section order by figure desc, captioner) as place
    from capability_figures
    semi join shown_boards using (condition_id, section)
    where benchmark = '$benchmark' and kind = 'dimension' and metric = 'f1' and figure is not null
)

select
    d.captioner, coalesce(d.captioner_name, d.captioner) as captioner_name, d.provenance, d.judge, r.name, r.view,
    d.figure as f1,
    case when d.place = 1 then captioner_name end as best,
    format('$title, judged by {}: F1 (%) of each captioner; named: the best', d.judge) as subtitle,
    format('{:,} elements', sum_over(if(d.place = 1, d.n_annotated, null), d.provenance)::bigint) as note,
    case when min_over(d.n_captioners, d.provenance) > 1
        and min_over(d.most_high, d.provenance) < max_over(d.least_low, d.provenance) then format(
        '{}: the best captioner reaches {:.0f}%; {}: the worst {:.0f}%',
        arg_min_over(r.name, d.most_high, d.provenance),
        arg_min_over(d.most, d.most_high, d.provenance), arg_max_over(r.name, d.least_low, d.provenance),
        arg_max_over(d.least, d.least_low, d.provenance)
    ) end as title
from dimensions as d
inner join capability_rubric as r on r.benchmark = d.benchmark and r.dimension = d.section
order by avg_over(d.figure, row(d.provenance, r.name)), r.name, d.figure desc, d.captioner

VISUALISE name AS y, f1 AS x
DRAW text MAPPING best AS label SETTING hjust => 'left', offset => [4, 0], fill => '#595959'
DRAW point SETTING fill => '#7f7f7f', opacity => 0.5
LABEL title => 'Which dimensions captions get right', x => 'F1, %'
