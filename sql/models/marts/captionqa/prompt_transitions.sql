-- what: what a change of the caption prompt gains or loses, per category, domain and overall, over all captioners
-- key: [protocol, reader, provenance, origin, level, transition, domain, category]
-- source: CaptionQA sections 5.1, 5.2 and 14.1 to 14.3, Figures 17 to 19
-- columns:
--   protocol, reader, provenance:
--   origin: [varchar, [answers, published], "base table that the figures come from: answers or published"]
--   level: [varchar, [category, domain, overall], "category, domain or overall; printed figures have no categories beyond the prompt
--       Simple"]
--   transition: [varchar, [Short to Simple, Simple to Long, Short to Long, Long to Taxonomy-Hinted]]
--   domain: [varchar, "domain; Overall, the mean of the four domains, on the level overall"]
--   category: [varchar, first taxonomy level; empty on the levels domain and overall]
--   n_models: [bigint, count, 1.., captioners with captions of both prompts; each counts with its own questions]
--   n_images: [bigint, count, images; null for printed rows]
--   accuracy_from: [double, percent, 0..100, accuracy under the first prompt]
--   accuracy_to: [double, percent, 0..100, accuracy under the second prompt]
--   accuracy_gain: [double, points, not null, accuracy gained]
--   accuracy_gain_se: [double, points, "standard error of accuracy_gain, paired and clustered by image; null for printed rows and for a
--       single image"]
--   score_from: [double, percent, 0..105, score under the first prompt]
--   score_to: [double, percent, 0..105, score under the second prompt]
--   score_gain: [double, points, score gained]
--   score_gain_se: [double, points, "standard error of score_gain, paired and clustered by image; null for printed rows and for a single
--       image"]
--   coverage_from: [double, percent, 0..100, "share of all answers that did not choose the cannot option, first prompt; null for printed
--       rows, as no table prints it by domain or category for prompts beyond Simple"]
--   coverage_to: [double, percent, 0..100, the same under the second prompt]
--   coverage_gain: [double, points, "coverage gained: the drop of the cannot rate among all questions, which Figures 20 to 23 draw; null
--       for printed rows"]
--   coverage_gain_se: [double, points, "standard error of coverage_gain, paired and clustered by image; null for printed rows and for a
--       single image"]
--   share_of_long: [double, percent, share of the accuracy gain from Short to Long that Short to Simple reaches; null on other transitions]
--   share_of_long_se: [double, percent, "standard error by the delta method, clustered by image: both gains come from the same images; null
--       for printed rows, for a single image and where Long gains less than 0.001 points"]
--   place: [bigint, rank, "place by accuracy gain among the rows of the level and transition, 1 the greatest"]
--   loses: [boolean, accuracy falls]
--   coverage_offered_from: [double, percent, 0..100, "share of the answers to questions that offer the cannot option that did not choose
--       it, first prompt: 100 less the rate of Tables 11 to 26, printed rates that contradict their own score left out; null when none
--       offers it"]
--   coverage_offered_to: [double, percent, 0..100, the same under the second prompt]
--   coverage_offered_gain: [double, points, coverage gained among the questions that offer the cannot option]
--   coverage_offered_gain_se: [double, points, "standard error of coverage_offered_gain, paired and clustered by image; null for printed
--       rows and for a single image"]
-- intervals:
--   accuracy_from, score_from, coverage_from: "share(from_size, from_freedom + 1);
--       effective images - 1 degrees of freedom, over domains Satterthwaite's"
--   accuracy_to, score_to, coverage_to: "share(to_size, to_freedom + 1);
--       effective images - 1 degrees of freedom, over domains Satterthwaite's"
--   accuracy_gain: "difference(accuracy_to, accuracy_from, least(from_size, to_size), least(from_freedom, to_freedom) + 1);
--       effective images - 1 degrees of freedom, over domains Satterthwaite's"
--   score_gain: "difference(score_to, score_from, least(from_size, to_size), least(from_freedom, to_freedom) + 1);
--       effective images - 1 degrees of freedom, over domains Satterthwaite's"
--   coverage_gain: "difference(coverage_to, coverage_from, least(from_size, to_size), least(from_freedom, to_freedom) + 1);
--       effective images - 1 degrees of freedom, over domains Satterthwaite's"
--   share_of_long: t(least(from_freedom, to_freedom) + 1); effective images - 1 degrees of freedom, over domains Satterthwaite's
--   coverage_offered_from: "share(offered_from_size, offered_from_freedom + 1);
--       effective images - 1 degrees of freedom, over domains Satterthwaite's"
--   coverage_offered_to: "share(offered_to_size, offered_to_freedom + 1);
--       effective images - 1 degrees of freedom, over domains Satterthwaite's"
--   coverage_offered_gain: "difference(coverage_offered_to, coverage_offered_from, least(offered_from_size, offered_to_size),
--       least(offered_from_freedom, offered_to_freedom) + 1); effective images - 1 degrees of freedom, over domains Satterthwaite's"

-- One row for each image and measure: how many answers there are under both prompts, what they add up to, and what the image moves.
with images as (
    select i.protocol, i.reader, i.provenance, i.level, i.transition, i.domain, i.category, i.image_id, i.n_models, v.*
    from prompt_transition_images as i
    cross join lateral (values
        ('accuracy', 1, n_from, correct_from, accuracy_from_part, n_to, correct_to, accuracy_to_part),
        ('score', score_parts(1), n_from, score_parts_from, score_from_part, n_to, score_parts_to, score_to_part),
        ('coverage', 1, n_from, n_from - cannot_from, coverage_from_part, n_to, n_to - cannot_to, coverage_to_part),
        ('coverage_offered', 1, offered_from, offered_from - cannot_from, coverage_offered_from_part,
            offered_to, offered_to - cannot_to, coverage_offered_to_part)
    ) as v (measure, most, size_from, sum_from, part_from, size_to, sum_to, part_to)
),

-- Printed figures, without the cannot-rates that contradict score and accuracy of their own row.
printed as (
    select
        r.condition_id, r.protocol, r.reader, r.provenance, r.prompt, r.captioner, r.domain, r.accuracy, r.score,
        case when d.captioner is null then 100 - r.cannot_rate_offered end as coverage_offered
    from captionqa_scores as r
    left join (
        select p.model_id as captioner, a.prompt, a.domain
        from published_audit as a
        inner join published as p using (benchmark, item, model, metric)
        where a.check_name = 'cannot_rate_against_score'
    ) as d using (captioner, prompt, domain)
    where r.level = 'domain' and r.origin = 'published' and r.evidence = 'caption' and r.accuracy is not null
),

single as (
    select
        protocol, reader, provenance, 'answers' as origin, level, transition, domain, category, measure,
        max(n_models) as n_models, count(*) as n_images,
        percent_of(sum(sum_from), sum(size_from * most)) as from_value, percent_of(sum(sum_to), sum(size_to * most)) as to_value,
        -- Images without a question that offers the cannot option are no clusters of coverage_offered.
        parts_error(sum(exact_square(part_from)), count(*) filter (where size_from > 0)) as from_se,
        parts_error(sum(exact_square(part_to)), count(*) filter (where size_to > 0)) as to_se,
        parts_error(sum(exact_square(part_to - part_from)), count(*) filter (where size_from + size_to > 0)) as gain_se,
        -- Answers of several captioners to a question are no further questions.
        ratio_of(sum(size_from), max(n_models)) as from_size, ratio_of(sum(size_to), max(n_models)) as to_size,
        clusters_of(sum(size_from), sum(size_from * size_from)) - 1 as from_freedom,
        clusters_of(sum(size_to), sum(size_to * size_to)) - 1 as to_freedom
    from images
    group by protocol, reader, provenance, level, transition, domain, category, measure
    union all
    select
        a.protocol, a.reader, a.provenance, 'published', 'domain', t.transition, a.domain, '', v.measure, count(*), null,
        ratio_of(sum(exact(v.from_value)), count(*)), ratio_of(sum(exact(v.to_value)), count(*)), null, null, null, null, null, null, null
    from printed as a
    inner join prompt_changes() as t on t.from_prompt = a.prompt
    inner join printed as b
        on b.condition_id = condition_of(a.protocol, a.reader, 'caption', a.captioner, t.to_prompt, a.provenance) and b.domain = a.domain
    cross join lateral (values
        ('accuracy', a.accuracy, b.accuracy), ('score', a.score, b.score), ('coverage_offered', a.coverage_offered, b.coverage_offered)
    ) as v (measure, from_value, to_value)
    where v.from_value is not null and v.to_value is not null
    group by a.protocol, a.reader, a.provenance, t.transition, a.domain, v.measure
),

-- The domains share no images (audit one_domain of captionqa_images), so that their errors are independent.
gains as (
    select *, to_value - from_value as gain
    from single
    union all by name
    select
        protocol, reader, provenance, origin, 'overall' as level, transition, 'Overall' as domain, '' as category, measure,
        max(n_models) as n_models, sum(n_images) as n_images,
        domain_mean(from_value, n_published_domains()) as from_value, domain_mean(to_value, n_published_domains()) as to_value,
        domain_error(from_se, n_published_domains()) as from_se, domain_error(to_se, n_published_domains()) as to_se,
        domain_error(gain_se, n_published_domains()) as gain_se,
        cast(sum(exact_mean(from_size)) as double) as from_size, cast(sum(exact_mean(to_size)) as double) as to_size,
        domain_clusters(from_freedom + 1) - 1 as from_freedom, domain_clusters(to_freedom + 1) - 1 as to_freedom,
        domain_mean(to_value, n_published_domains()) - domain_mean(from_value, n_published_domains()) as gain
    from single
    where level = 'domain' and is_published_domain(domain)
    group by protocol, reader, provenance, origin, transition, measure
    having count(*) = n_published_domains()
),

-- What an image moves the gains from Short to Simple and from Short to Long.
long_images as (
    select
        protocol, reader, provenance, level, domain, category, image_id,
        sum(case when transition = 'Short to Simple' then exact(part_to - part_from) else 0 end) as simple_part,
        sum(case when transition = 'Short to Long' then exact(part_to - part_from) else 0 end) as long_part
    from images
    where measure = 'accuracy' and transition in ('Short to Simple', 'Short to Long')
    group by protocol, reader, provenance, level, domain, category, image_id
),

shares as (
    select
        protocol, reader, provenance, origin, level, domain, category, s.transition, l.gain as long_gain, ratio_of(s.gain, l.gain) as share
    from gains as s
    inner join gains as l using (protocol, reader, provenance, origin, level, domain, category, measure)
    where measure = 'accuracy' and s.transition = 'Short to Simple' and l.transition = 'Short to Long'
),

-- The ratio a / b moves by (da - a / b * db) / b; overall, each domain has a quarter. Of a gain below a thousandth of a point no share
-- can be told.
share_strata as (
    select
        s.protocol, s.reader, s.provenance, s.origin, s.level, s.domain, s.category, s.transition, i.domain as stratum,
        count(*) as n_images,
        sum(exact_square((i.simple_part - s.share * i.long_part) / s.long_gain * case s.level when 'overall' then 25 else 100 end))
            as squares
    from shares as s
    inner join long_images as i
        on s.origin = 'answers' and i.protocol = s.protocol and i.reader = s.reader and i.provenance = s.provenance and (
            i.level = s.level and i.domain = s.domain and i.category = s.category
            or s.level = 'overall' and i.level = 'domain' and is_published_domain(i.domain))
    where abs(s.long_gain) >= 0.001
    group by s.protocol, s.reader, s.provenance, s.origin, s.level, s.domain, s.category, s.transition, i.domain
),

share_errors as (
    select
        protocol, reader, provenance, origin, level, domain, category, transition,
        case when min(n_images) >= 2 then sqrt(cast(sum(parts_variance(squares, n_images)) as double)) end as se
    from share_strata
    group by protocol, reader, provenance, origin, level, domain, category, transition
),

wide as (
    pivot gains
    on measure in ('accuracy', 'score', 'coverage', 'coverage_offered')
    using
        max(n_models) as n_models, max(n_images) as n_images, max(from_value) as "from", max(to_value) as "to", max(gain) as gain,
        max(from_se) as from_se, max(to_se) as to_se, max(gain_se) as gain_se, max(from_size) as from_size, max(to_size) as to_size,
        max(from_freedom) as from_freedom, max(to_freedom) as to_freedom
    group by protocol, reader, provenance, origin, level, transition, domain, category
)

select
    protocol, reader, provenance, origin, level, transition, domain, category,
    accuracy_n_models as n_models, accuracy_n_images as n_images,
    accuracy_from, accuracy_from_se, accuracy_to, accuracy_to_se, accuracy_gain, accuracy_gain_se,
    score_from, score_from_se, score_to, score_to_se, score_gain, score_gain_se,
    coverage_from, coverage_from_se, coverage_to, coverage_to_se, coverage_gain, coverage_gain_se,
    100 * s.share as share_of_long, e.se as share_of_long_se,
    rank() over (partition by protocol, reader, provenance, origin, level, transition order by accuracy_gain desc) as place,
    accuracy_gain < 0 as loses,
    coverage_offered_from, coverage_offered_from_se, coverage_offered_to, coverage_offered_to_se, coverage_offered_gain,
    coverage_offered_gain_se,
    accuracy_from_size as from_size, accuracy_from_freedom as from_freedom, accuracy_to_size as to_size, accuracy_to_freedom as to_freedom,
    coverage_offered_from_size as offered_from_size, coverage_offered_from_freedom as offered_from_freedom,
    coverage_offered_to_size as offered_to_size, coverage_offered_to_freedom as offered_to_freedom
from wide
left join shares as s using (protocol, reader, provenance, origin, level, transition, domain, category)
left join share_errors as e using (protocol, reader, provenance, origin, level, transition, domain, category);

-- audit: gains_chain: Short to Simple and Simple to Long add up to Short to Long where the same captioners have all three
select a.origin, a.level, a.domain, a.category, a.accuracy_gain, b.accuracy_gain as second_gain, c.accuracy_gain as long_gain
from prompt_transitions as a
inner join prompt_transitions as b using (protocol, reader, provenance, origin, level, domain, category)
inner join prompt_transitions as c using (protocol, reader, provenance, origin, level, domain, category)
where a.transition = 'Short to Simple' and b.transition = 'Simple to Long' and c.transition = 'Short to Long'
    and a.accuracy_from = c.accuracy_from and a.accuracy_to = b.accuracy_from and b.accuracy_to = c.accuracy_to
    and abs(a.accuracy_gain + b.accuracy_gain - c.accuracy_gain) > 0.000001;

-- audit: gain_within_bounds: no accuracy can rise by more than what was missing
select origin, level, transition, domain, category, accuracy_from, accuracy_gain
from prompt_transitions
where accuracy_gain > 100 - accuracy_from + 0.000001 or accuracy_gain < -accuracy_from - 0.000001;
