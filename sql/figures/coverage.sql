-- shows: Whether accuracy follows coverage when the prompt changes
-- paper: CaptionQA, Figures 20 to 23
-- benchmark: captionqa
-- place: 16

select
    category, domain, transition, protocol, reader, provenance, coverage_gain, accuracy_gain,
    if(coverage_gain_high - coverage_gain_low <= 100, coverage_gain_low, null) as coverage_low, -- a wider interval says nothing, and
    if(coverage_gain_high - coverage_gain_low <= 100, coverage_gain_high, null) as coverage_high, -- would stretch the axes
    if(accuracy_gain_high - accuracy_gain_low <= 100, accuracy_gain_low, null) as accuracy_low,
    if(accuracy_gain_high - accuracy_gain_low <= 100, accuracy_gain_high, null) as accuracy_high,
    case when rank() over (partition by provenance, transition order by round(abs(excess_z), 9) desc nulls last) <= 4 then category end
        as named,
    transition || coalesce(format(', r = {:.2f}', s.pearson), '') as facet,
    case
        when min(s.pearson_low) over board > 0.5 and min(s.n_rows) over board > 4 and min(t.n_models) over board > 1
            then format('Accuracy follows coverage, category by category: r is {:.2f}', min(s.pearson) over board)
            || case
                when round(min(s.pearson) over board, 2) < round(max(s.pearson) over board, 2) then format(' to {:.2f}', max(s.pearson) over board) else ''
            end
    end as title
from prompt_transitions as t
left join (
    select change_id, pearson, pearson_low, n_rows
    from prompt_transition_summary
    where level = 'category'
) as s using (change_id)
semi join shown_readers using (protocol, reader, provenance)
where level = 'category' and coverage_gain is not null
window board as (partition by provenance)
order by transition = 'Long to Taxonomy-Hinted', transition, round(abs(excess_z), 9) desc nulls last, domain, category

VISUALISE coverage_gain AS x, accuracy_gain AS y, domain AS fill, domain AS stroke
PLACE rule SETTING y => 0, slope => 1, linetype => 'dashed', stroke => '#8a8a8a'
DRAW text MAPPING named AS label, null AS fill, null AS stroke
DRAW range MAPPING coverage_low AS xmin, coverage_high AS xmax SETTING hinge => null, opacity => 0.35
DRAW range MAPPING accuracy_low AS ymin, accuracy_high AS ymax SETTING hinge => null, opacity => 0.35
DRAW point
FACET facet SETTING ncol => 2, free => ['x', 'y']
PROJECT TO cartesian SETTING ratio => 1
LABEL title => 'Whether accuracy follows coverage', x => 'coverage, points', y => 'accuracy, points',
    subtitle => 'Gains, means over captioners; dashed: both gain alike; intervals above 100 points are not drawn'
