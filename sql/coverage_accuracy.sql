-- model: coverage_accuracy
-- what: coverage gained against accuracy gained by a change of the caption prompt, with the distance from the diagonal and the outliers
-- grain: one row per protocol, reader, provenance, origin, level, transition, domain and category
-- key: [protocol, reader, provenance, origin, level, transition, domain, category, rate]
-- inputs: [prompt_transitions, prompt_transition_images]
-- source: CaptionQA section 14.4, Figures 20 to 23
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the model that answered]
--   provenance: [varchar, "published, measured or simulated"]
--   origin: [varchar, "base table that the figures come from: answers or published"]
--   level: [varchar, [category, domain], "category or domain; printed figures have domains only, and only the rate offered"]
--   transition: [varchar, change of the prompt]
--   domain: [varchar, domain]
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

with transitions as (
    select
        protocol, reader, provenance, origin, level, transition, domain, category,
        coverage_gain, coverage_gain_low, coverage_gain_high, coverage_offered_gain, coverage_offered_gain_low, coverage_offered_gain_high,
        accuracy_gain, accuracy_gain_low, accuracy_gain_high
    from prompt_transitions
    where level <> 'overall'
),

images as (
    select
        protocol, reader, provenance, level, transition, domain, category, image_id, n_from, offered_from,
        accuracy_to_part - accuracy_from_part as accuracy_part,
        coverage_to_part - coverage_from_part as coverage_part,
        coverage_offered_to_part - coverage_offered_from_part as offered_part
    from prompt_transition_images
),

gains as (
    select
        t.protocol, t.reader, t.provenance, t.origin, t.level, t.transition, t.domain, t.category, v.rate,
        v.coverage_gain, v.coverage_gain_low, v.coverage_gain_high, t.accuracy_gain, t.accuracy_gain_low, t.accuracy_gain_high,
        t.accuracy_gain - v.coverage_gain as excess
    from transitions as t
    cross join lateral (values
        ('all', t.coverage_gain, t.coverage_gain_low, t.coverage_gain_high),
        ('offered', t.coverage_offered_gain, t.coverage_offered_gain_low, t.coverage_offered_gain_high)
    ) as v (rate, coverage_gain, coverage_gain_low, coverage_gain_high)
    where v.coverage_gain is not null
),

errors as (
    select
        i.protocol, i.reader, i.provenance, 'answers' as origin, i.level, i.transition, i.domain, i.category, v.rate,
        clusters_of(sum(v.n), sum(v.n * v.n)) as clusters,
        parts_error(sum(exact_square(i.accuracy_part - v.coverage_part)), count(*)) as excess_se
    from images as i
    cross join lateral (values ('all', i.n_from, i.coverage_part), ('offered', i.offered_from, i.offered_part)) as v (rate, n,
        coverage_part)
    group by i.protocol, i.reader, i.provenance, i.level, i.transition, i.domain, i.category, v.rate
),

totals as (
    select
        protocol, reader, provenance, origin, level, transition, rate,
        count(*) as n, sum(exact(excess)) as total, sum(exact_square(excess)) as squares
    from gains
    group by protocol, reader, provenance, origin, level, transition, rate
),

scaled as (
    select
        g.protocol, g.reader, g.provenance, g.origin, g.level, g.transition, g.domain, g.category, g.rate,
        g.coverage_gain, g.coverage_gain_low, g.coverage_gain_high, g.accuracy_gain, g.accuracy_gain_low, g.accuracy_gain_high, g.excess,
        (g.excess - ratio_of(t.total, t.n)) / nullif(deviation_of(t.total, t.squares, t.n), 0) as excess_z
    from gains as g
    inner join totals as t
        on t.protocol = g.protocol and t.reader = g.reader and t.provenance = g.provenance and t.origin = g.origin
        and t.level = g.level and t.transition = g.transition and t.rate = g.rate
)

select
    s.protocol, s.reader, s.provenance, s.origin, s.level, s.transition, s.domain, s.category, s.coverage_gain, s.coverage_gain_low,
    s.coverage_gain_high, s.accuracy_gain, s.accuracy_gain_low, s.accuracy_gain_high, s.excess, e.excess_se,
    case when s.excess > 0 then 'above' when s.excess < 0 then 'below' else 'on' end as side,
    s.excess_z,
    rank() over (partition by s.protocol, s.reader, s.provenance, s.origin, s.level, s.transition, s.rate
        order by abs(s.excess_z) desc nulls last) as place,
    abs(s.excess_z) > 2 as outlier,
    s.rate, e.clusters
from scaled as s
left join errors as e
    on e.protocol = s.protocol and e.reader = s.reader and e.provenance = s.provenance and e.origin = s.origin
    and e.level = s.level and e.transition = s.transition and e.domain = s.domain and e.category = s.category
    and e.rate = s.rate;

-- audit: few_outliers: by the inequality of Chebyshev at most a quarter of the rows can be farther than two standard deviations
select protocol, reader, provenance, origin, level, transition, rate, count(*) as n_rows, sum(case when outlier then 1
    else 0 end) as n_outliers
from coverage_accuracy
group by protocol, reader, provenance, origin, level, transition, rate
having sum(case when outlier then 1 else 0 end) > 0.25 * count(*);
