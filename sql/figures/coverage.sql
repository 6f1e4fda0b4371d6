-- shows: Whether accuracy follows coverage when the prompt changes
-- paper: CaptionQA, Figures 20 to 23
-- benchmark: captionqa
-- place: 16

with gains as (
    select *, round(abs(excess_z), 9) as apart
    from prompt_transitions
    semi join shown_readers using (protocol, reader, provenance)
    where level = 'category' and coverage_gain is not null
)

select
    category, domain, transition, protocol, reader, provenance, coverage_gain, accuracy_gain,
    if(coverage_gain_high - coverage_gain_low <= 100, coverage_gain_low, null) as coverage_low, -- a wider interval says nothing, and
    if(coverage_gain_high - coverage_gain_low <= 100, coverage_gain_high, null) as coverage_high, -- would stretch the axes
    if(accuracy_gain_high - accuracy_gain_low <= 100, accuracy_gain_low, null) as accuracy_low,
    if(accuracy_gain_high - accuracy_gain_low <= 100, accuracy_gain_high, null) as accuracy_high,
    case when apart_place <= 4 then category end as named,
    transition || coalesce(format(', r = {:.2f}', s.pearson), '') as facet,
    case
        when min_over(s.pearson_low, provenance) > 0.5 and min_over(s.n_rows, provenance) > 4 and min_over(t.n_models, provenance) > 1
            then format('Accuracy follows coverage, category by category: r is {:.2f}', min_over(s.pearson, provenance))
            || case
                when round(min_over(s.pearson, provenance), 2) < round(max_over(s.pearson, provenance), 2)
                    then format(' to {:.2f}', max_over(s.pearson, provenance)) else ''
            end
    end as title
from (select *, rank() over (partition by provenance, transition order by apart desc nulls last) as apart_place from gains) as t
left join (
    select change_id, pearson, pearson_low, n_rows
    from prompt_transition_summary
    where level = 'category'
) as s using (change_id)
order by transition = 'Long to Taxonomy-Hinted', transition, apart desc nulls last, domain, category

VISUALISE
DRAW rule MAPPING 0 AS y SETTING slope => 1, linetype => 'dashed', stroke => '#8a8a8a'
DRAW text MAPPING coverage_gain AS x, accuracy_gain AS y, named AS label
DRAW range MAPPING accuracy_gain AS y, coverage_low AS xmin, coverage_high AS xmax, domain AS stroke SETTING hinge => null, opacity => 0.35
DRAW range MAPPING coverage_gain AS x, accuracy_low AS ymin, accuracy_high AS ymax, domain AS stroke SETTING hinge => null, opacity => 0.35
DRAW point MAPPING coverage_gain AS x, accuracy_gain AS y, domain AS fill, domain AS stroke
FACET facet SETTING ncol => 2, free => ['x', 'y']
PROJECT TO cartesian SETTING ratio => 1
LABEL title => 'Whether accuracy follows coverage', x => 'coverage, points', y => 'accuracy, points',
    subtitle => 'Gains, means over captioners; dashed: both gain alike; intervals above 100 points are not drawn'
