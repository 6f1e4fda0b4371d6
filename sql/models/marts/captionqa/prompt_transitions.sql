-- what: the gain or loss from a change of the caption prompt, per category, domain and overall, over all captioners
-- key: [protocol, reader, provenance, origin, level, transition, domain, category]
-- source: CaptionQA sections 5.1, 5.2 and 14.1 to 14.4, Figures 17 to 23
-- columns:
--   change_id, protocol, reader, provenance, origin:
--   level: [varchar, [category, domain, overall], "category, domain or overall; printed figures have no categories
--       beyond the prompt Simple"]
--   transition: [varchar, [Short to Simple, Simple to Long, Short to Long, Long to Taxonomy-Hinted]]
--   domain: [varchar, "domain; Overall, the mean of the four domains, on the level overall"]
--   category: [varchar, first taxonomy level; empty on the levels domain and overall]
--   n_models: [bigint, count, 1.., captioners with captions of both prompts; each counts with its own questions]
--   n_images: [bigint, count, images; null for printed rows]
--   accuracy_from: [double, percent, 0..100, accuracy under the first prompt]
--   accuracy_to: [double, percent, 0..100, accuracy under the second prompt]
--   accuracy_gain: [double, points, not null, accuracy gained]
--   score_from: [double, percent, 0..105, score under the first prompt]
--   score_to: [double, percent, 0..105, score under the second prompt]
--   score_gain: [double, points, score gained]
--   coverage_from: [double, percent, 0..100, "share of all answers that did not choose the cannot option, first prompt;
--       null for printed rows, as no table prints it by domain or category for prompts beyond Simple"]
--   coverage_to: [double, percent, 0..100, the same under the second prompt]
--   coverage_gain: [double, points, "coverage gained: the drop of the cannot rate among all questions, which Figures 20
--       to 23 draw; null for printed rows"]
--   share_of_long: [double, percent, share of the accuracy gain from Short to Long that Short to Simple reaches; null
--       on other transitions]
--   share_of_long_se: [double, percent, "standard error by the delta method, clustered by image: both gains come from
--       the same images; null for printed rows, for a single image and where Long gains less than 0.001 points"]
--   place: [bigint, rank, "place by accuracy gain among the rows of the level and transition, 1 the greatest"]
--   loses: [boolean, accuracy falls]
--   excess: [double, points, "accuracy gained less coverage gained: above 0 above the diagonal of Figures 20 to 23;
--       null for printed rows"]
--   excess_z: [double, deviations, "excess less its mean over the rows of the level and transition, in their standard
--       deviations; null for a single row"]
--   outlier: [boolean, farther than two standard deviations from that mean; null for a single row]
--   coverage_offered_from: [double, percent, 0..100, "coverage among the answers to questions that offer the cannot
--       option, under the first prompt: the share that did not choose it, which is 100 minus the rate of Tables 11 to
--       26. Printed rates that contradict their own score are left out; null when no question offers the option"]
--   coverage_offered_to: [double, percent, 0..100, the same under the second prompt]
--   coverage_offered_gain: [double, points, coverage gained among the questions that offer the cannot option]
--   note:
-- intervals:
--   accuracy_from, score_from, coverage_from: share(from_size, from_freedom + 1)
--   accuracy_to, score_to, coverage_to: share(to_size, to_freedom + 1)
--   accuracy_gain: difference(accuracy_to, accuracy_from, least(from_size, to_size), least(from_freedom,
--       to_freedom) + 1)
--   score_gain: difference(score_to, score_from, least(from_size, to_size), least(from_freedom, to_freedom) + 1)
--   coverage_gain: difference(coverage_to, coverage_from, least(from_size, to_size), least(from_freedom,
--       to_freedom) + 1)
--   excess, share_of_long: t(least(from_freedom, to_freedom) + 1)
--   coverage_offered_from: share(offered_from_size, offered_from_freedom + 1)
--   coverage_offered_to: share(offered_to_size, offered_to_freedom + 1)
--   coverage_offered_gain: "difference(coverage_offered_to, coverage_offered_from, least(offered_from_size,
--       offered_to_size), least(offered_from_freedom, offered_to_freedom) + 1)"

-- One row for each image and measure: the number of answers under both prompts, their sums, and the effect of the image
-- on the gain.
with images as (
    select i.change_id, i.protocol, i.reader, i.provenance, i.level, i.transition, i.domain, i.category, i.image_id,
        i.n_models, v.*
    from prompt_transition_images as i
    cross join lateral (values
        ('accuracy', 1, n_from, correct_from, accuracy_from_part, n_to, correct_to, accuracy_to_part),
        ('score', score_parts(1), n_from, score_parts_from, score_from_part, n_to, score_parts_to, score_to_part),
        ('coverage', 1, n_from, n_from - cannot_from, coverage_from_part, n_to, n_to - cannot_to, coverage_to_part),
        ('coverage_offered', 1, offered_from, offered_from - cannot_from, coverage_offered_from_part,
            offered_to, offered_to - cannot_to, coverage_offered_to_part),
        -- Accuracy's gain minus coverage's gain is the gain of the share of answers that are correct or "cannot
        -- answer".
        ('excess', 1, n_from, correct_from + cannot_from, accuracy_from_part - coverage_from_part,
            n_to, correct_to + cannot_to, accuracy_to_part - coverage_to_part)
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
        inner join (select distinct item, model, model_id from published where benchmark = 'captionqa') as p
            using (item, model)
        where a.check_name = 'cannot_rate_against_score'
    ) as d using (captioner, prompt, domain)
    where r.level = 'domain' and r.origin = 'published' and r.evidence = 'caption' and r.accuracy is not null
),

single as (
    select
        change_id, protocol, reader, provenance, 'answers' as origin, level, transition, domain, category, measure,
        max(n_models) as n_models, count(*) as n_images,
        percent_of(sum(sum_from), sum(size_from * most)) as from_value,
        percent_of(sum(sum_to), sum(size_to * most)) as to_value,
        -- Images without a question that offers the cannot option are no clusters of coverage_offered.
        parts_error(sum(exact_square(part_from)), count(*) filter (where size_from > 0)) as from_se,
        parts_error(sum(exact_square(part_to)), count(*) filter (where size_to > 0)) as to_se,
        parts_error(sum(exact_square(part_to - part_from)), count(*) filter (where size_from + size_to > 0)) as gain_se,
        -- The answers of several captioners to the same question count as one question.
        ratio_of(sum(size_from), max(n_models)) as from_size, ratio_of(sum(size_to), max(n_models)) as to_size,
        clusters_of(sum(size_from), sum(size_from * size_from)) - 1 as from_freedom,
        clusters_of(sum(size_to), sum(size_to * size_to)) - 1 as to_freedom
    from images
    group by all
    union all by name
    select
        key_of(a.protocol, a.reader, 'published', '', t.transition, a.provenance) as change_id, a.protocol, a.reader,
        a.provenance,
        'published' as origin, 'domain' as level, t.transition, a.domain, '' as category, v.measure,
        count(*) as n_models,
        ratio_of(sum(exact(v.from_value)), count(*)) as from_value,
        ratio_of(sum(exact(v.to_value)), count(*)) as to_value
    from printed as a
    inner join prompt_changes() as t on t.from_prompt = a.prompt
    inner join printed as b
        on b.condition_id = condition_of(a.protocol, a.reader, 'caption', a.captioner, t.to_prompt, a.provenance)
            and b.domain = a.domain
    cross join lateral (values
        ('accuracy', a.accuracy, b.accuracy), ('score', a.score, b.score),
        ('coverage_offered', a.coverage_offered, b.coverage_offered)
    ) as v (measure, from_value, to_value)
    where v.from_value is not null and v.to_value is not null
    group by all
),

-- The domains share no images (audit one_domain of captionqa_images), so that their errors are independent.
gains as (
    select *, to_value - from_value as gain
    from single
    union all by name
    select
        change_id, protocol, reader, provenance, origin, 'overall' as level, transition, 'Overall' as domain,
        '' as category, measure, max(n_models) as n_models, sum(n_images) as n_images,
        domain_mean(from_value, n_published_domains()) as from_value,
        domain_mean(to_value, n_published_domains()) as to_value,
        domain_error(from_se, share_error(from_value, from_se, from_size, from_freedom + 1), n_published_domains())
            as from_se,
        domain_error(to_se, share_error(to_value, to_se, to_size, to_freedom + 1), n_published_domains()) as to_se,
        domain_error(
            gain_se, difference_error(to_value, from_value, gain_se, least(from_size, to_size),
                least(from_freedom, to_freedom) + 1),
            n_published_domains()
        ) as gain_se,
        cast(sum(exact_mean(from_size)) as double) as from_size, cast(sum(exact_mean(to_size)) as double) as to_size,
        domain_clusters(from_freedom + 1) - 1 as from_freedom, domain_clusters(to_freedom + 1) - 1 as to_freedom,
        domain_mean(to_value, n_published_domains()) - domain_mean(from_value, n_published_domains()) as gain
    from single
    where level = 'domain' and is_published_domain(domain)
    group by all
    having count(*) = n_published_domains()
),

-- The effect of an image on the gains from Short to Simple and from Short to Long; overall, each domain has a quarter
-- of the weight.
long_images as (
    select
        key_of(protocol, reader, 'answers', '', 'Short to Simple', provenance) as change_id, series.domain,
        series.category, i.domain as stratum, image_id,
        sum(case transition when 'Short to Simple' then exact((part_to - part_from) / weight) else 0 end)
            as simple_part,
        sum(case transition when 'Short to Long' then exact((part_to - part_from) / weight) else 0 end) as long_part
    from images as i
    cross join lateral (
        select i.domain, i.category, 1 as weight
        union all
        select 'Overall', '', n_published_domains() where i.level = 'domain' and is_published_domain(i.domain)
    ) as series
    where measure = 'accuracy' and transition in ('Short to Simple', 'Short to Long')
    group by all
),

long_sums as (
    select
        change_id, domain, category, count(*) as n_images,
        parts_variance(sum(exact_square(simple_part)), count(*)) as simple_variance,
        parts_variance(sum(exact_product(simple_part, long_part)), count(*)) as covariance,
        parts_variance(sum(exact_square(long_part)), count(*)) as long_variance
    from long_images
    group by change_id, domain, category, stratum
),

covariances as (
    select
        change_id, domain, category, case when min(n_images) >= 2 then sum(simple_variance) end as simple_variance,
        sum(covariance) as covariance, sum(long_variance) as long_variance
    from long_sums
    group by change_id, domain, category
),

wide as (
    pivot gains
    on measure in ('accuracy', 'score', 'coverage', 'coverage_offered', 'excess')
    using
        max(n_models) as n_models, max(n_images) as n_images, max(from_value) as "from", max(to_value) as "to",
        max(gain) as gain,
        max(from_se) as from_se, max(to_se) as to_se, max(gain_se) as gain_se, max(from_size) as from_size,
        max(to_size) as to_size, max(from_freedom) as from_freedom, max(to_freedom) as to_freedom
    group by change_id, protocol, reader, provenance, origin, level, transition, domain, category
),

scaled as (
    select
        *,
        case transition when 'Short to Simple' then max(case transition when 'Short to Long' then accuracy_gain end)
            over cell
            end as long_gain,
        (excess_gain - ratio_of(sum(exact(excess_gain)) over board, count(excess_gain) over board)) / nullif(
            deviation_of(sum(exact(excess_gain)) over board, sum(exact_square(excess_gain)) over board,
                count(excess_gain) over board), 0
        ) as excess_z
    from wide
    window cell as (partition by protocol, reader, provenance, origin, domain, category),
        board as (partition by change_id, level)
)

select
    change_id, s.protocol, s.reader, s.provenance, origin, level, transition, s.domain, category,
    accuracy_n_models as n_models, accuracy_n_images as n_images,
    accuracy_from, accuracy_from_se, accuracy_to, accuracy_to_se, accuracy_gain, accuracy_gain_se,
    score_from, score_from_se, score_to, score_to_se, score_gain, score_gain_se,
    coverage_from, coverage_from_se, coverage_to, coverage_to_se, coverage_gain, coverage_gain_se,
    percent_of(accuracy_gain, long_gain) as share_of_long,
    -- The share of a gain below a thousandth of a point is not computed.
    case when abs(long_gain) >= 0.001
        then quotient_error(accuracy_gain, long_gain, simple_variance, covariance, long_variance) end
        as share_of_long_se,
    rank() over (partition by change_id, level order by accuracy_gain desc) as place,
    accuracy_gain < 0 as loses, excess_gain as excess, excess_gain_se as excess_se, excess_z,
    abs(excess_z) > 2 as outlier,
    coverage_offered_from, coverage_offered_from_se, coverage_offered_to, coverage_offered_to_se, coverage_offered_gain,
    coverage_offered_gain_se, unread as note,
    accuracy_from_size as from_size, accuracy_from_freedom as from_freedom, accuracy_to_size as to_size,
    accuracy_to_freedom as to_freedom,
    coverage_offered_from_size as offered_from_size, coverage_offered_from_freedom as offered_from_freedom,
    coverage_offered_to_size as offered_to_size, coverage_offered_to_freedom as offered_to_freedom
from scaled as s
left join covariances using (change_id, domain, category)
left join unread_answers as u
    on s.origin = 'answers' and u.prompt = '' and u.domain = case s.level when 'overall' then '' else s.domain end
    and (u.protocol, u.reader, u.provenance) = (s.protocol, s.reader, s.provenance);

-- audit: gain_is_the_difference: a gain is what lies between the two accuracies
select origin, level, transition, domain, category, accuracy_from, accuracy_to, accuracy_gain
from prompt_transitions
where abs(accuracy_to - accuracy_from - accuracy_gain) > 0.000001;

-- audit: gain_within_bounds: no accuracy can rise by more than was missing
select origin, level, transition, domain, category, accuracy_from, accuracy_gain
from prompt_transitions
where accuracy_gain > 100 - accuracy_from + 0.000001 or accuracy_gain < -accuracy_from - 0.000001;

-- audit: few_outliers: by Chebyshev at most a quarter of the rows is farther than two standard deviations
select protocol, reader, provenance, level, transition, count(*) as n_rows,
    sum(case when outlier then 1 else 0 end) as n_outliers
from prompt_transitions
group by protocol, reader, provenance, origin, level, transition
having sum(case when outlier then 1 else 0 end) > 0.25 * count(*);
