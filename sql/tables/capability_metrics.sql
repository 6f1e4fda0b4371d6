-- for:
--   capability_metrics: {benchmark: capability, name: capability, title: CAPability, places: Tables 3 to 5, means:
--     Tables 3 and 4, hits: Table 5, decimals: 1}
--   cv_capbench_metrics: {benchmark: cv-capbench, name: cv_capbench, title: CV-CapBench, places: Tables 2 and 3,
--     means: Table 2, hits: Table 3, decimals: 2}
-- shows: Precision, recall, F1 and hit rate of every captioner in the dimensions of $title (%)
-- asks: How well does a captioner do in each dimension of $title?
-- paper: $title, $places
-- benchmark: $benchmark
-- each: item
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: figure, decimals: $decimals, best: highest, across: heading}

-- Boards of other elements stand below, each with its best value.
select
    captioner, captioner_name, judge, figure, figure_low, figure_high,
    coalesce(heading, 'Avg.') as heading, coalesce(place, 14) as across_place, f.provenance,
    'Judge ' || judge || case when repeat > 0 then ', repetition ' || repeat else '' end
        || coalesce('. ' || apart, '') as section,
    '$name_' || metric as item,
    case metric when 'precision' then 'Precision' when 'recall' then 'Recall' when 'f1' then 'F1' else 'Hit rate' end
    || ' of every captioner in the dimensions of $title (%)' as title,
    '$title, ' || if(metric = 'hit_rate', '$hits', '$means') as paper
from capability_figures as f
left join capability_rubric as r on f.benchmark = r.benchmark and f.section = r.dimension
left join boards_apart() using (condition_id)
where f.benchmark = '$benchmark' and n_dimensions = n_expected and (r.in_tables or f.section = 'average')
order by
    list_position(['precision', 'recall', 'f1', 'hit_rate'], metric), judge, repeat, coalesce(apart, ''),
    max(figure) filter (where f.section = 'average') over (partition by f.provenance, judge, repeat, metric,
        captioner) desc nulls last,
    captioner_name
