-- shows: Precision, recall, F1 and hit rate of every captioner in the dimensions of CV-CapBench (%)
-- paper: CV-CapBench, Tables 2 and 3
-- benchmark: cv-capbench
-- each: item
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: figure, decimals: 2, best: highest, across: heading}

-- Boards of other elements stand below, each with its best value.
select
    captioner, captioner_name, judge, figure, figure_low, figure_high,
    coalesce(heading, 'Avg.') as heading, coalesce(place, 14) as across_place, f.provenance,
    'Judge ' || judge || case when repeat > 0 then ', repetition ' || repeat else '' end || coalesce('. ' || apart, '') as section,
    'cv_capbench_' || metric as item,
    case metric when 'precision' then 'Precision' when 'recall' then 'Recall' when 'f1' then 'F1' else 'Hit rate' end
    || ' of every captioner in the dimensions of CV-CapBench (%)' as title,
    'CV-CapBench, Table ' || case metric when 'hit_rate' then 3 else 2 end as paper
from capability_figures as f
left join capability_rubric as r on f.benchmark = r.benchmark and f.section = r.dimension
left join boards_apart() using (condition_id)
where f.benchmark = 'cv-capbench' and n_dimensions = n_expected and (r.in_tables or f.section = 'average')
order by
    list_position(['precision', 'recall', 'f1', 'hit_rate'], metric), judge, repeat, coalesce(apart, ''),
    max(figure) filter (where f.section = 'average') over (partition by f.provenance, judge, repeat, metric, captioner) desc nulls last,
    captioner_name
