-- what: how much a change of the caption prompt gains in coverage (fewer unanswerable questions) and in accuracy, by category, with
--     outliers marked
-- key: [protocol, reader, provenance, origin, level, transition, domain, category, rate]
-- source: CaptionQA section 14.4, Figures 20 to 23
-- columns:
--   protocol, reader, provenance:
--   origin: [varchar, "base table that the figures come from: answers or published"]
--   level: [varchar, [category, domain], "category or domain; printed figures have domains only, and only the rate offered"]
--   transition: [varchar, change of the prompt]
--   domain:
--   category: [varchar, first taxonomy level; empty on the level domain]
--   coverage_gain: [double, points, -100..100, "coverage gained: the drop of the cannot rate that rate names"]
--   accuracy_gain: [double, points, -100..100, accuracy gained]
--   excess: [double, points, "accuracy gain minus coverage gain: above 0 above the diagonal"]
--   excess_se: [double, points, "standard error of excess, paired and clustered by image; null for printed rows and for a single image"]
--   side: [varchar, [above, below, on], "above, below or on the diagonal"]
--   excess_z: [double, deviations, "excess minus its mean over the rows of the transition, in their standard deviations; null for a single
--       row"]
--   place: [bigint, rank, 1.., "place by distance from that mean, 1 the farthest"]
--   outlier: [boolean, farther than two standard deviations; null for a single row]
--   rate: [varchar, [all, offered], "denominator of the cannot rate: all, all questions, as in Figures 20 to 23; offered, those that offer
--       the cannot option, as in Tables 11 to 26"]
-- intervals:
--   coverage_gain, accuracy_gain: given; as in prompt_transitions; null for printed rows
--   excess: t(clusters)

with gains as (
    select
        t.protocol, t.reader, t.provenance, t.origin, t.level, t.transition, t.domain, t.category, v.*,
        t.accuracy_gain, t.accuracy_gain_low, t.accuracy_gain_high, t.accuracy_gain - v.coverage_gain as excess
    from prompt_transitions as t
    cross join lateral (values
        ('all', t.coverage_gain, t.coverage_gain_low, t.coverage_gain_high),
        ('offered', t.coverage_offered_gain, t.coverage_offered_gain_low, t.coverage_offered_gain_high)
    ) as v (rate, coverage_gain, coverage_gain_low, coverage_gain_high)
    where t.level <> 'overall' and v.coverage_gain is not null
),

errors as (
    select
        i.protocol, i.reader, i.provenance, 'answers' as origin, i.level, i.transition, i.domain, i.category, v.rate,
        least(clusters_of(sum(v.n_from), sum(v.n_from * v.n_from)), clusters_of(sum(v.n_to), sum(v.n_to * v.n_to))) as clusters,
        parts_error(sum(exact_square(i.accuracy_to_part - i.accuracy_from_part - v.coverage_part)), count(*)) as excess_se
    from prompt_transition_images as i
    cross join lateral (values
        ('all', i.n_from, i.n_to, i.coverage_to_part - i.coverage_from_part),
        ('offered', i.offered_from, i.offered_to, i.coverage_offered_to_part - i.coverage_offered_from_part)
    ) as v (rate, n_from, n_to, coverage_part)
    group by i.protocol, i.reader, i.provenance, i.level, i.transition, i.domain, i.category, v.rate
),

scaled as (
    select
        *,
        (excess - ratio_of(sum(exact(excess)) over row_group, count(*) over row_group))
            / nullif(deviation_of(sum(exact(excess)) over row_group, sum(exact_square(excess)) over row_group, count(*) over row_group), 0)
            as excess_z
    from gains
    window row_group as (partition by protocol, reader, provenance, origin, level, transition, rate)
)

select
    protocol, reader, provenance, origin, level, transition, domain, category, coverage_gain, coverage_gain_low, coverage_gain_high,
    accuracy_gain, accuracy_gain_low, accuracy_gain_high, excess, e.excess_se,
    -- Two equal gains may differ in their last digit.
    case when excess > 0.000000001 then 'above' when excess < -0.000000001 then 'below' else 'on' end as side,
    excess_z,
    rank() over (
        partition by protocol, reader, provenance, origin, level, transition, rate order by round(abs(excess_z), 9) desc nulls last
    ) as place,
    abs(excess_z) > 2 as outlier,
    rate, e.clusters
from scaled
left join errors as e using (protocol, reader, provenance, origin, level, transition, domain, category, rate);

-- audit: few_outliers: by the inequality of Chebyshev at most a quarter of the rows can be farther than two standard deviations
select protocol, reader, provenance, origin, level, transition, rate, count(*) as n_rows, sum(case when outlier then 1
    else 0 end) as n_outliers
from coverage_accuracy
group by protocol, reader, provenance, origin, level, transition, rate
having sum(case when outlier then 1 else 0 end) > 0.25 * count(*);
