-- shows: Whether accuracy follows coverage when the prompt changes
-- paper: CaptionQA, Figures 20 to 23
-- benchmark: captionqa
-- place: 16

with gains as (
    select *, round(abs(excess_z), 9) as apart
    from prompt_transitions
    semi join shown_readers using (protocol, reader, provenance)
    where level = 'category' and coverage_gain is not null
),

measured as (
    select t.*, s.pearson, s.pearson_low, s.n_rows, coalesce(format(', r = {:.2f}', s.pearson), '') as heading
    from (select *, rank() over (partition by provenance, transition order by apart desc nulls last) as apart_place
        from gains) as t
    left join (
        select change_id, pearson, pearson_low, n_rows
        from prompt_transition_summary
        where level = 'category'
    ) as s using (change_id)
),

-- The points that the paper names, and r over all categories as it is printed.
printed as (
    select
        prompt as transition, domain, category, 'published' as provenance, 1 as apart_place,
        max(if(metric = 'coverage_gain', value, null)) as coverage_gain,
        max(if(metric = 'accuracy_gain', value, null)) as accuracy_gain
    from published
    where benchmark = 'captionqa' and metric in ('coverage_gain', 'accuracy_gain') and category <> ''
    group by prompt, domain, category
    having coverage_gain is not null and accuracy_gain is not null
),

points as (
    select * from measured
    union all by name
    select p.*, s.protocol, s.reader, coalesce(format(', r = {:.3f}', s.pearson), '') as heading
    from printed as p
    inner join prompt_transition_summary as s on s.level = 'category' and s.transition = p.transition
        and s.provenance = p.provenance
)

select
    category, domain, transition, protocol, reader, provenance, coverage_gain, accuracy_gain,
    -- A wider interval says nothing, and would stretch the axes.
    if(coverage_gain_high - coverage_gain_low <= 100, coverage_gain_low, null) as coverage_low,
    if(coverage_gain_high - coverage_gain_low <= 100, coverage_gain_high, null) as coverage_high,
    if(accuracy_gain_high - accuracy_gain_low <= 100, accuracy_gain_low, null) as accuracy_low,
    if(accuracy_gain_high - accuracy_gain_low <= 100, accuracy_gain_high, null) as accuracy_high,
    case when apart_place <= 4 then category end as named, transition || heading as facet,
    case
        when min_over(pearson_low, provenance) > 0.5 and min_over(n_rows, provenance) > 4
            and min_over(n_models, provenance) > 1
            then format('Accuracy follows coverage, category by category: r is {:.2f}', min_over(pearson, provenance))
            || case
                when round(min_over(pearson, provenance), 2) < round(max_over(pearson, provenance), 2)
                    then format(' to {:.2f}', max_over(pearson, provenance)) else ''
            end
    end as title,
    if(
        provenance = 'published', 'Gains of the categories that the paper names; r: over all; dashed: both gain alike',
        'Gains, means over captioners; dashed: both gain alike; intervals above 100 points are not drawn'
    ) as subtitle
from points
order by transition = 'Long to Taxonomy-Hinted', transition, apart desc nulls last, domain_order(domain), category

VISUALISE
DRAW rule MAPPING 0 AS x SETTING stroke => '#dddddd'
DRAW rule MAPPING 0 AS y SETTING stroke => '#dddddd'
DRAW rule MAPPING 0 AS y SETTING slope => 1, linetype => 'dashed', stroke => '#8a8a8a'
DRAW range MAPPING accuracy_gain AS y, coverage_low AS xmin, coverage_high AS xmax,
    domain AS stroke SETTING hinge => null, opacity => 0.35
DRAW range MAPPING coverage_gain AS x, accuracy_low AS ymin, accuracy_high AS ymax,
    domain AS stroke SETTING hinge => null, opacity => 0.35
DRAW text MAPPING coverage_gain AS x, accuracy_gain AS y, named AS label
DRAW point MAPPING coverage_gain AS x, accuracy_gain AS y, domain AS fill, domain AS stroke
FACET facet SETTING free => ['x', 'y']
PROJECT TO cartesian SETTING ratio => 1
LABEL title => 'Whether accuracy follows coverage', x => 'coverage, points', y => 'accuracy, points'
