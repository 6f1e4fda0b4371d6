-- model: prompt_transitions
-- what: what a change of the caption prompt gains or loses, per category, domain and overall, over all captioners
-- grain: one row per protocol, reader, provenance, origin, level, transition, domain and category
-- key: [protocol, reader, provenance, origin, level, transition, domain, category]
-- inputs: [prompt_transition_images, captionqa_results, published, published_audit]
-- source: CaptionQA sections 5.1, 5.2 and 14.1 to 14.3, Figures 17 to 19
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the model that answered]
--   provenance: [varchar, "published, measured or simulated"]
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
--   accuracy_from, score_from, coverage_from: share(from_size, from_freedom + 1); effective images - domains degrees of freedom
--   accuracy_to, score_to, coverage_to: share(to_size, to_freedom + 1); effective images - domains degrees of freedom
--   accuracy_gain, score_gain, coverage_gain, share_of_long: t(least(from_freedom, to_freedom) + 1); effective images - domains degrees of
--       freedom
--   coverage_offered_from: share(offered_from_size, offered_from_freedom + 1); effective images - domains degrees of freedom
--   coverage_offered_to: share(offered_to_size, offered_to_freedom + 1); effective images - domains degrees of freedom
--   coverage_offered_gain: t(least(offered_from_freedom, offered_to_freedom) + 1); effective images - domains degrees of freedom

with images as (
    select
        protocol, reader, provenance, level, transition, domain, category, image_id, n_models,
        n_from, correct_from, cannot_from, offered_from, score_parts_from, n_to, correct_to, cannot_to, offered_to, score_parts_to,
        accuracy_from_part, accuracy_to_part, score_from_part, score_to_part, coverage_from_part, coverage_to_part,
        coverage_offered_from_part, coverage_offered_to_part
    from prompt_transition_images
),

-- Cannot-rates that contradict score and accuracy of their own row.
doubtful as (
    select p.model_id, a.prompt, a.domain
    from published_audit as a
    inner join published as p on p.benchmark = a.benchmark and p.item = a.item and p.model = a.model and p.metric = a.metric
    where a.check_name = 'cannot_rate_against_score'
),

results as (
    select
        r.protocol, r.reader, r.provenance, r.prompt, r.model_id, r.domain, r.score, r.accuracy,
        case when d.model_id is null then r.cannot_rate_offered end as cannot_rate_offered
    from captionqa_results as r
    left join doubtful as d using (model_id, prompt, domain)
    where r.origin = 'published' and r.evidence = 'caption'
),

transitions as (
    select from_prompt || ' to ' || to_prompt as transition, from_prompt, to_prompt
    from (
        values ('Short', 'Simple'), ('Simple', 'Long'), ('Short', 'Long'), ('Long', 'Taxonomy-Hinted')
    ) as t (from_prompt, to_prompt)
),

totals as (
    select
        protocol, reader, provenance, level, transition, domain, category,
        max(n_models) as n_models, count(*) as n_images,
        sum(n_from) as n_from, sum(correct_from) as correct_from, sum(cannot_from) as cannot_from, sum(offered_from) as offered_from,
        score_of_parts(sum(score_parts_from)) as score_from,
        sum(n_to) as n_to, sum(correct_to) as correct_to, sum(cannot_to) as cannot_to, sum(offered_to) as offered_to,
        score_of_parts(sum(score_parts_to)) as score_to,
        clusters_of(sum(n_from), sum(n_from * n_from)) - 1 as from_freedom,
        clusters_of(sum(n_to), sum(n_to * n_to)) - 1 as to_freedom,
        clusters_of(sum(offered_from), sum(offered_from * offered_from)) - 1 as offered_from_freedom,
        clusters_of(sum(offered_to), sum(offered_to * offered_to)) - 1 as offered_to_freedom,
        sum(exact_square(accuracy_from_part)) as accuracy_from_squares,
        sum(exact_square(accuracy_to_part)) as accuracy_to_squares,
        sum(exact_square(accuracy_to_part - accuracy_from_part)) as accuracy_gain_squares,
        sum(exact_square(score_from_part)) as score_from_squares,
        sum(exact_square(score_to_part)) as score_to_squares,
        sum(exact_square(score_to_part - score_from_part)) as score_gain_squares,
        sum(exact_square(coverage_from_part)) as coverage_from_squares,
        sum(exact_square(coverage_to_part)) as coverage_to_squares,
        sum(exact_square(coverage_to_part - coverage_from_part)) as coverage_gain_squares,
        sum(exact_square(coverage_offered_from_part)) as coverage_offered_from_squares,
        sum(exact_square(coverage_offered_to_part)) as coverage_offered_to_squares,
        sum(exact_square(coverage_offered_to_part - coverage_offered_from_part)) as coverage_offered_gain_squares
    from images
    group by protocol, reader, provenance, level, transition, domain, category
),

printed_pairs as (
    select
        a.protocol, a.reader, a.provenance, t.transition, a.domain,
        count(*) as n_models,
        ratio_of(sum(exact(a.accuracy)), count(*)) as accuracy_from,
        ratio_of(sum(exact(b.accuracy)), count(*)) as accuracy_to,
        ratio_of(sum(exact(a.score)), count(*)) as score_from,
        ratio_of(sum(exact(b.score)), count(*)) as score_to,
        -- Coverage is compared over the models that have both rates.
        100 - ratio_of(sum(case when b.cannot_rate_offered is not null then exact(a.cannot_rate_offered) end),
            count(a.cannot_rate_offered + b.cannot_rate_offered)) as coverage_offered_from,
        100 - ratio_of(sum(case when a.cannot_rate_offered is not null then exact(b.cannot_rate_offered) end),
            count(a.cannot_rate_offered + b.cannot_rate_offered)) as coverage_offered_to
    from results as a
    inner join transitions as t on t.from_prompt = a.prompt
    inner join results as b
        on b.prompt = t.to_prompt and b.model_id = a.model_id and b.domain = a.domain and b.protocol = a.protocol
        and b.reader = a.reader and b.provenance = a.provenance
    where a.accuracy is not null and b.accuracy is not null
    group by a.protocol, a.reader, a.provenance, t.transition, a.domain
),

single as (
    select
        protocol, reader, provenance, 'answers' as origin, level, transition, domain, category, n_models, n_images,
        -- Answers of several captioners to a question are no further questions.
        ratio_of(n_from, n_models) as from_size, ratio_of(n_to, n_models) as to_size,
        ratio_of(offered_from, n_models) as offered_from_size, ratio_of(offered_to, n_models) as offered_to_size,
        from_freedom, to_freedom, offered_from_freedom, offered_to_freedom,
        percent_of(correct_from, n_from) as accuracy_from,
        percent_of(correct_to, n_to) as accuracy_to,
        percent_of(score_from, n_from) as score_from,
        percent_of(score_to, n_to) as score_to,
        100 - percent_of(cannot_from, n_from) as coverage_from,
        100 - percent_of(cannot_to, n_to) as coverage_to,
        100 - percent_of(cannot_from, offered_from) as coverage_offered_from,
        100 - percent_of(cannot_to, offered_to) as coverage_offered_to,
        parts_error(accuracy_from_squares, n_images) as accuracy_from_se,
        parts_error(accuracy_to_squares, n_images) as accuracy_to_se,
        parts_error(accuracy_gain_squares, n_images) as accuracy_gain_se,
        parts_error(score_from_squares, n_images) as score_from_se,
        parts_error(score_to_squares, n_images) as score_to_se,
        parts_error(score_gain_squares, n_images) as score_gain_se,
        parts_error(coverage_from_squares, n_images) as coverage_from_se,
        parts_error(coverage_to_squares, n_images) as coverage_to_se,
        parts_error(coverage_gain_squares, n_images) as coverage_gain_se,
        parts_error(coverage_offered_from_squares, n_images) as coverage_offered_from_se,
        parts_error(coverage_offered_to_squares, n_images) as coverage_offered_to_se,
        parts_error(coverage_offered_gain_squares, n_images) as coverage_offered_gain_se
    from totals
    union all
    select
        protocol, reader, provenance, 'published' as origin, 'domain' as level, transition, domain, '' as category, n_models,
        null as n_images, null as from_size, null as to_size, null as offered_from_size, null as offered_to_size,
        null as from_freedom, null as to_freedom, null as offered_from_freedom, null as offered_to_freedom,
        accuracy_from, accuracy_to, score_from, score_to, null as coverage_from, null as coverage_to, coverage_offered_from,
            coverage_offered_to,
        null as accuracy_from_se, null as accuracy_to_se, null as accuracy_gain_se,
        null as score_from_se, null as score_to_se, null as score_gain_se,
        null as coverage_from_se, null as coverage_to_se, null as coverage_gain_se,
        null as coverage_offered_from_se, null as coverage_offered_to_se, null as coverage_offered_gain_se
    from printed_pairs
),

-- The domains share no images (audit one_domain of captionqa_image_sums), so that their errors are independent.
overall as (
    select
        protocol, reader, provenance, origin, 'overall' as level, transition, 'Overall' as domain, '' as category,
        max(n_models) as n_models, sum(n_images) as n_images,
        sum(exact_mean(from_size)) as from_size, sum(exact_mean(to_size)) as to_size,
        sum(exact_mean(offered_from_size)) as offered_from_size, sum(exact_mean(offered_to_size)) as offered_to_size,
        sum(exact_mean(from_freedom)) as from_freedom, sum(exact_mean(to_freedom)) as to_freedom,
        sum(exact_mean(offered_from_freedom)) as offered_from_freedom, sum(exact_mean(offered_to_freedom)) as offered_to_freedom,
        cast(sum(exact(accuracy_from)) as double) / 4 as accuracy_from, cast(sum(exact(accuracy_to)) as double) / 4 as accuracy_to,
        cast(sum(exact(score_from)) as double) / 4 as score_from, cast(sum(exact(score_to)) as double) / 4 as score_to,
        case when count(coverage_from) = 4 then cast(sum(exact(coverage_from)) as double) / 4 end as coverage_from,
        case when count(coverage_offered_from) = 4 then cast(sum(exact(coverage_offered_from)) as double) / 4 end as coverage_offered_from,
        case when count(coverage_to) = 4 then cast(sum(exact(coverage_to)) as double) / 4 end as coverage_to,
        case when count(coverage_offered_to) = 4 then cast(sum(exact(coverage_offered_to)) as double) / 4 end as coverage_offered_to,
        case when count(accuracy_from_se) = 4 then sqrt(cast(sum(exact_square(accuracy_from_se)) as double)) / 4 end as accuracy_from_se,
        case when count(accuracy_to_se) = 4 then sqrt(cast(sum(exact_square(accuracy_to_se)) as double)) / 4 end as accuracy_to_se,
        case when count(accuracy_gain_se) = 4 then sqrt(cast(sum(exact_square(accuracy_gain_se)) as double)) / 4 end as accuracy_gain_se,
        case when count(score_from_se) = 4 then sqrt(cast(sum(exact_square(score_from_se)) as double)) / 4 end as score_from_se,
        case when count(score_to_se) = 4 then sqrt(cast(sum(exact_square(score_to_se)) as double)) / 4 end as score_to_se,
        case when count(score_gain_se) = 4 then sqrt(cast(sum(exact_square(score_gain_se)) as double)) / 4 end as score_gain_se,
        case when count(coverage_from_se) = 4 then sqrt(cast(sum(exact_square(coverage_from_se)) as double)) / 4 end as coverage_from_se,
        case when count(coverage_offered_from_se) = 4 then sqrt(cast(sum(exact_square(coverage_offered_from_se)) as double))
            / 4 end as coverage_offered_from_se,
        case when count(coverage_to_se) = 4 then sqrt(cast(sum(exact_square(coverage_to_se)) as double)) / 4 end as coverage_to_se,
        case when count(coverage_offered_to_se) = 4 then sqrt(cast(sum(exact_square(coverage_offered_to_se)) as double))
            / 4 end as coverage_offered_to_se,
        case when count(coverage_gain_se) = 4 then sqrt(cast(sum(exact_square(coverage_gain_se)) as double)) / 4 end as coverage_gain_se,
        case when count(coverage_offered_gain_se) = 4 then sqrt(cast(sum(exact_square(coverage_offered_gain_se)) as double))
            / 4 end as coverage_offered_gain_se
    from single
    where level = 'domain' and domain in ('Natural', 'Document', 'E-commerce', 'Embodied AI')
    group by protocol, reader, provenance, origin, transition
    having count(*) = 4
),

stacked as (
    select
        protocol, reader, provenance, origin, level, transition, domain, category, n_models, n_images,
        from_size, to_size, offered_from_size, offered_to_size,
        from_freedom, to_freedom, offered_from_freedom, offered_to_freedom,
        accuracy_from, accuracy_to, score_from, score_to, coverage_from, coverage_to, coverage_offered_from, coverage_offered_to,
        accuracy_from_se, accuracy_to_se, accuracy_gain_se, score_from_se, score_to_se, score_gain_se,
        coverage_from_se, coverage_to_se, coverage_gain_se, coverage_offered_from_se, coverage_offered_to_se, coverage_offered_gain_se
    from single
    union all
    select
        protocol, reader, provenance, origin, level, transition, domain, category, n_models, n_images,
        cast(from_size as double) as from_size, cast(to_size as double) as to_size,
        cast(offered_from_size as double) as offered_from_size, cast(offered_to_size as double) as offered_to_size,
        cast(from_freedom as double) as from_freedom, cast(to_freedom as double) as to_freedom,
        cast(offered_from_freedom as double) as offered_from_freedom, cast(offered_to_freedom as double) as offered_to_freedom,
        accuracy_from, accuracy_to, score_from, score_to, coverage_from, coverage_to, coverage_offered_from, coverage_offered_to,
        accuracy_from_se, accuracy_to_se, accuracy_gain_se, score_from_se, score_to_se, score_gain_se,
        coverage_from_se, coverage_to_se, coverage_gain_se, coverage_offered_from_se, coverage_offered_to_se, coverage_offered_gain_se
    from overall
),

both_origins as (
    select
        protocol, reader, provenance, origin, level, transition, domain, category, n_models, n_images,
        from_size, to_size, offered_from_size, offered_to_size,
        from_freedom, to_freedom, offered_from_freedom, offered_to_freedom,
        accuracy_from, accuracy_to, score_from, score_to, coverage_from, coverage_to, coverage_offered_from, coverage_offered_to,
        accuracy_from_se, accuracy_to_se, accuracy_gain_se, score_from_se, score_to_se, score_gain_se,
        coverage_from_se, coverage_to_se, coverage_gain_se, coverage_offered_from_se, coverage_offered_to_se, coverage_offered_gain_se,
        accuracy_to - accuracy_from as accuracy_gain,
        score_to - score_from as score_gain,
        coverage_to - coverage_from as coverage_gain,
        coverage_offered_to - coverage_offered_from as coverage_offered_gain
    from stacked
),

long_gains as (
    select protocol, reader, provenance, origin, level, domain, category, accuracy_gain
    from both_origins
    where transition = 'Short to Long'
),

-- What an image moves the gains from Short to Simple and from Short to Long; overall, each domain has a quarter.
long_parts as (
    select
        i.protocol, i.reader, i.provenance, v.level, v.domain, i.category, i.domain as stratum, i.image_id,
        sum(case when i.transition = 'Short to Simple' then exact((i.accuracy_to_part - i.accuracy_from_part) / v.n) end) as simple_part,
        sum(case when i.transition = 'Short to Long' then exact((i.accuracy_to_part - i.accuracy_from_part) / v.n) end) as long_part
    from images as i
    cross join lateral (values (i.level, i.domain, 1), ('overall', 'Overall', 4)) as v (level, domain, n)
    where i.transition in ('Short to Simple', 'Short to Long')
        and (v.n = 1 or i.level = 'domain' and i.domain in ('Natural', 'Document', 'E-commerce', 'Embodied AI'))
    group by i.protocol, i.reader, i.provenance, v.level, v.domain, i.category, i.domain, i.image_id
),

shares as (
    select
        b.protocol, b.reader, b.provenance, b.origin, b.level, b.domain, b.category, b.accuracy_gain as simple_gain,
            l.accuracy_gain as long_gain
    from both_origins as b
    inner join long_gains as l
        on l.protocol = b.protocol and l.reader = b.reader and l.provenance = b.provenance and l.origin = b.origin
        and l.level = b.level and l.domain = b.domain and l.category = b.category
    where b.transition = 'Short to Simple'
),

-- The ratio a / b moves by (da - a / b * db) / b. Of a gain below a thousandth of a point no share can be told.
share_strata as (
    select
        p.protocol, p.reader, p.provenance, p.level, p.domain, p.category, p.stratum,
        count(*) as n_images,
        sum(exact_square(
            100 * (cast(coalesce(p.simple_part, 0) as double) - s.simple_gain / nullif(s.long_gain, 0) * cast(coalesce(p.long_part,
                0) as double))
            / nullif(s.long_gain, 0)
        )) as squares
    from long_parts as p
    inner join shares as s
        on s.origin = 'answers' and s.protocol = p.protocol and s.reader = p.reader and s.provenance = p.provenance
        and s.level = p.level and s.domain = p.domain and s.category = p.category and abs(s.long_gain) >= 0.001
    group by p.protocol, p.reader, p.provenance, p.level, p.domain, p.category, p.stratum
),

share_errors as (
    select
        protocol, reader, provenance, level, domain, category,
        case when min(n_images) >= 2 then sqrt(cast(sum(parts_variance(squares, n_images)) as double)) end as se
    from share_strata
    group by protocol, reader, provenance, level, domain, category
)

select
    b.protocol, b.reader, b.provenance, b.origin, b.level, b.transition, b.domain, b.category, b.n_models, b.n_images, b.accuracy_from,
    b.accuracy_from_se, b.accuracy_to, b.accuracy_to_se, b.accuracy_gain, b.accuracy_gain_se, b.score_from, b.score_from_se, b.score_to,
    b.score_to_se, b.score_gain, b.score_gain_se, b.coverage_from, b.coverage_from_se, b.coverage_to, b.coverage_to_se, b.coverage_gain,
    b.coverage_gain_se,
    percent_of(s.simple_gain, s.long_gain) as share_of_long,
    e.se as share_of_long_se,
    rank() over (partition by b.protocol, b.reader, b.provenance, b.origin, b.level, b.transition order by b.accuracy_gain desc) as place,
    b.accuracy_gain < 0 as loses,
    b.coverage_offered_from, b.coverage_offered_from_se, b.coverage_offered_to, b.coverage_offered_to_se, b.coverage_offered_gain,
    b.coverage_offered_gain_se, b.from_size, b.from_freedom, b.to_size, b.to_freedom, b.offered_from_size, b.offered_from_freedom,
    b.offered_to_size, b.offered_to_freedom
from both_origins as b
left join shares as s
    on b.transition = 'Short to Simple' and s.protocol = b.protocol and s.reader = b.reader and s.provenance = b.provenance
    and s.origin = b.origin and s.level = b.level and s.domain = b.domain and s.category = b.category
left join share_errors as e
    on b.transition = 'Short to Simple' and b.origin = 'answers' and e.protocol = b.protocol and e.reader = b.reader
    and e.provenance = b.provenance and e.level = b.level and e.domain = b.domain and e.category = b.category;

-- audit: gains_chain: Short to Simple and Simple to Long add up to Short to Long where the same captioners have all three
select a.origin, a.level, a.domain, a.category, a.accuracy_gain, b.accuracy_gain as second_gain, c.accuracy_gain as long_gain
from prompt_transitions as a
inner join prompt_transitions as b
    on b.protocol = a.protocol and b.reader = a.reader and b.provenance = a.provenance and b.origin = a.origin
    and b.level = a.level and b.domain = a.domain and b.category = a.category
inner join prompt_transitions as c
    on c.protocol = a.protocol and c.reader = a.reader and c.provenance = a.provenance and c.origin = a.origin
    and c.level = a.level and c.domain = a.domain and c.category = a.category
where a.transition = 'Short to Simple' and b.transition = 'Simple to Long' and c.transition = 'Short to Long'
    and a.accuracy_from = c.accuracy_from and a.accuracy_to = b.accuracy_from and b.accuracy_to = c.accuracy_to
    and abs(a.accuracy_gain + b.accuracy_gain - c.accuracy_gain) > 0.000001;

-- audit: gain_within_bounds: no accuracy can rise by more than what was missing
select origin, level, transition, domain, category, accuracy_from, accuracy_gain
from prompt_transitions
where accuracy_gain > 100 - accuracy_from + 0.000001 or accuracy_gain < -accuracy_from - 0.000001;
