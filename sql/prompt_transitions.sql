-- model: prompt_transitions
-- what: what a change of the caption prompt gains or loses, per category, domain and overall, over all captioners
-- grain: one row per protocol, reader, provenance, origin, level, transition, domain and category
-- key: protocol, reader, provenance, origin, level, transition, domain, category
-- inputs: captionqa_image_sums, captionqa_results
-- source: CaptionQA sections 5.1, 5.2 and 14.1 to 14.3, Figures 17 to 19
-- columns:
--   protocol            varchar  -        how questions were put, parsed and scored
--   reader              varchar  -        model_id of the model that answered
--   provenance          varchar  -        published, measured or simulated
--   origin              varchar  -        base table that the figures come from: answers or published
--   level               varchar  -        category, domain or overall; printed figures have no categories beyond the prompt Simple
--   transition          varchar  -        Short to Simple, Simple to Long, Short to Long or Long to Taxonomy-Hinted
--   domain              varchar  -        domain; Overall, the mean of the four domains, on the level overall
--   category            varchar  -        first taxonomy level; empty on the levels domain and overall
--   n_models            bigint   count    captioners with captions of both prompts; each counts with its own questions
--   n_images            bigint   count    images; null for printed rows
--   accuracy_from       double   percent  accuracy under the first prompt
--   accuracy_to         double   percent  accuracy under the second prompt
--   accuracy_gain       double   points   accuracy gained
--   accuracy_gain_se    double   points   standard error of accuracy_gain, paired and clustered by image; null for printed rows and for a single image
--   accuracy_gain_low   double   points   lower end of the 95 % t interval, images - domains degrees of freedom
--   accuracy_gain_high  double   points   upper end of that interval
--   score_from          double   percent  score under the first prompt
--   score_to            double   percent  score under the second prompt
--   score_gain          double   points   score gained
--   score_gain_se       double   points   standard error of score_gain, paired and clustered by image; null for printed rows and for a single image
--   score_gain_low      double   points   lower end of the 95 % t interval, images - domains degrees of freedom
--   score_gain_high     double   points   upper end of that interval
--   coverage_from       double   percent  share of the answers to questions that offer the cannot option that did not choose it, first prompt
--   coverage_to         double   percent  the same under the second prompt
--   coverage_gain       double   points   coverage gained: the drop of the cannot rate that the paper prints
--   coverage_gain_se    double   points   standard error of coverage_gain, paired and clustered by image; null for printed rows and for a single image
--   coverage_gain_low   double   points   lower end of the 95 % t interval, images - domains degrees of freedom
--   coverage_gain_high  double   points   upper end of that interval
--   share_of_long       double   percent  share of the accuracy gain from Short to Long that Short to Simple reaches; null on other transitions
--   place               bigint   rank     place by accuracy gain among the rows of the level and transition, 1 the greatest
--   loses               boolean  -        accuracy falls
-- checks:
--   level in category, domain, overall
--   transition in Short to Simple, Simple to Long, Short to Long, Long to Taxonomy-Hinted
--   origin in answers, published
--   n_models >= 1
--   accuracy_from between 0 and 100
--   accuracy_to between 0 and 100
--   coverage_from between 0 and 100
--   coverage_to between 0 and 100
--   accuracy_gain not null

with sums as (
    select
        protocol, reader, provenance, model_id, prompt, domain, category, image_id,
        n_answers, n_correct, n_cannot, n_offered, score_parts
    from captionqa_image_sums
    where evidence = 'caption'
),

results as (
    select protocol, reader, provenance, prompt, model_id, domain, score, accuracy, cannot_rate_offered
    from captionqa_results
    where origin = 'published' and evidence = 'caption'
),

transitions as (
    select from_prompt || ' to ' || to_prompt as transition, from_prompt, to_prompt
    from (
        values ('Short', 'Simple'), ('Simple', 'Long'), ('Short', 'Long'), ('Long', 'Taxonomy-Hinted')
    ) as t (from_prompt, to_prompt)
),

cells as (
    select
        s.protocol, s.reader, s.provenance, s.model_id, s.prompt, v.level, s.domain, v.category, s.image_id,
        sum(s.n_answers) as n_answers, sum(s.n_correct) as n_correct, sum(s.n_cannot) as n_cannot,
        sum(s.n_offered) as n_offered, sum(s.score_parts) as score_parts
    from sums as s
    cross join lateral (values ('category', s.category), ('domain', '')) as v (level, category)
    where v.level = 'domain' or s.category <> ''
    group by s.protocol, s.reader, s.provenance, s.model_id, s.prompt, v.level, s.domain, v.category, s.image_id
),

-- Captioner by captioner, so that both sides of a difference have the same captioners and images.
pairs as (
    select
        a.protocol, a.reader, a.provenance, a.level, t.transition, a.domain, a.category, a.image_id,
        count(*) as n_models,
        sum(a.n_answers) as n_from, sum(a.n_correct) as correct_from, sum(a.n_cannot) as cannot_from,
        sum(a.n_offered) as offered_from, score_of_parts(sum(a.score_parts)) as score_from,
        sum(b.n_answers) as n_to, sum(b.n_correct) as correct_to, sum(b.n_cannot) as cannot_to,
        sum(b.n_offered) as offered_to, score_of_parts(sum(b.score_parts)) as score_to
    from cells as a
    inner join transitions as t on t.from_prompt = a.prompt
    inner join cells as b
        on b.prompt = t.to_prompt and b.protocol = a.protocol and b.reader = a.reader and b.provenance = a.provenance
        and b.model_id = a.model_id and b.level = a.level and b.domain = a.domain and b.category = a.category
        and b.image_id = a.image_id
    group by a.protocol, a.reader, a.provenance, a.level, t.transition, a.domain, a.category, a.image_id
),

totals as (
    select
        protocol, reader, provenance, level, transition, domain, category,
        max(n_models) as n_models, count(*) as n_images,
        sum(n_from) as n_from, sum(correct_from) as correct_from, sum(cannot_from) as cannot_from, sum(offered_from) as offered_from,
        cast(sum(exact_mean(score_from)) as double) as score_from,
        sum(n_to) as n_to, sum(correct_to) as correct_to, sum(cannot_to) as cannot_to, sum(offered_to) as offered_to,
        cast(sum(exact_mean(score_to)) as double) as score_to
    from pairs
    group by protocol, reader, provenance, level, transition, domain, category
),

squares as (
    select
        p.protocol, p.reader, p.provenance, p.level, p.transition, p.domain, p.category,
        sum(exact_square(
            surplus(p.correct_to, p.n_to, t.correct_to, t.n_to) * t.n_from / t.n_to
            - surplus(p.correct_from, p.n_from, t.correct_from, t.n_from)
        )) as accuracy_squares,
        sum(exact_square(
            surplus(p.score_to, p.n_to, t.score_to, t.n_to) * t.n_from / t.n_to
            - surplus(p.score_from, p.n_from, t.score_from, t.n_from)
        )) as score_squares,
        sum(exact_square(
            surplus(p.cannot_to, p.offered_to, t.cannot_to, t.offered_to) * t.offered_from / nullif(t.offered_to, 0)
            - surplus(p.cannot_from, p.offered_from, t.cannot_from, t.offered_from)
        )) as coverage_squares
    from pairs as p
    inner join totals as t
        on t.protocol = p.protocol and t.reader = p.reader and t.provenance = p.provenance and t.level = p.level
        and t.transition = p.transition and t.domain = p.domain and t.category = p.category
    group by p.protocol, p.reader, p.provenance, p.level, p.transition, p.domain, p.category
),

printed_pairs as (
    select
        a.protocol, a.reader, a.provenance, t.transition, a.domain,
        count(*) as n_models,
        ratio_of(sum(exact(a.accuracy)), count(*)) as accuracy_from,
        ratio_of(sum(exact(b.accuracy)), count(*)) as accuracy_to,
        ratio_of(sum(exact(a.score)), count(*)) as score_from,
        ratio_of(sum(exact(b.score)), count(*)) as score_to,
        100 - ratio_of(sum(exact(a.cannot_rate_offered)), count(*)) as coverage_from,
        100 - ratio_of(sum(exact(b.cannot_rate_offered)), count(*)) as coverage_to
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
        t.protocol, t.reader, t.provenance, 'answers' as origin, t.level, t.transition, t.domain, t.category, t.n_models, t.n_images,
        percent_of(t.correct_from, t.n_from) as accuracy_from,
        percent_of(t.correct_to, t.n_to) as accuracy_to,
        percent_of(t.score_from, t.n_from) as score_from,
        percent_of(t.score_to, t.n_to) as score_to,
        100 - percent_of(t.cannot_from, t.offered_from) as coverage_from,
        100 - percent_of(t.cannot_to, t.offered_to) as coverage_to,
        cluster_error(s.accuracy_squares, t.n_images, t.n_from) as accuracy_gain_se,
        cluster_error(s.score_squares, t.n_images, t.n_from) as score_gain_se,
        cluster_error(s.coverage_squares, t.n_images, t.offered_from) as coverage_gain_se
    from totals as t
    inner join squares as s
        on s.protocol = t.protocol and s.reader = t.reader and s.provenance = t.provenance and s.level = t.level
        and s.transition = t.transition and s.domain = t.domain and s.category = t.category
    union all
    select
        protocol, reader, provenance, 'published' as origin, 'domain' as level, transition, domain, '' as category, n_models,
        null as n_images,
        accuracy_from, accuracy_to, score_from, score_to, coverage_from, coverage_to,
        null as accuracy_gain_se, null as score_gain_se, null as coverage_gain_se
    from printed_pairs
),

overall as (
    select
        protocol, reader, provenance, origin, 'overall' as level, transition, 'Overall' as domain, '' as category,
        max(n_models) as n_models, sum(n_images) as n_images,
        cast(sum(exact(accuracy_from)) as double) / 4 as accuracy_from, cast(sum(exact(accuracy_to)) as double) / 4 as accuracy_to,
        cast(sum(exact(score_from)) as double) / 4 as score_from, cast(sum(exact(score_to)) as double) / 4 as score_to,
        case when count(coverage_from) = 4 then cast(sum(exact(coverage_from)) as double) / 4 end as coverage_from,
        case when count(coverage_to) = 4 then cast(sum(exact(coverage_to)) as double) / 4 end as coverage_to,
        case when count(accuracy_gain_se) = 4 then sqrt(cast(sum(exact_square(accuracy_gain_se)) as double)) / 4 end as accuracy_gain_se,
        case when count(score_gain_se) = 4 then sqrt(cast(sum(exact_square(score_gain_se)) as double)) / 4 end as score_gain_se,
        case when count(coverage_gain_se) = 4 then sqrt(cast(sum(exact_square(coverage_gain_se)) as double)) / 4 end as coverage_gain_se
    from single
    where level = 'domain' and domain in ('Natural', 'Document', 'E-commerce', 'Embodied AI')
    group by protocol, reader, provenance, origin, transition
    having count(*) = 4
),

stacked as (
    select
        protocol, reader, provenance, origin, level, transition, domain, category, n_models, n_images, 1 as n_domains,
        accuracy_from, accuracy_to, score_from, score_to, coverage_from, coverage_to, accuracy_gain_se, score_gain_se, coverage_gain_se
    from single
    union all
    select
        protocol, reader, provenance, origin, level, transition, domain, category, n_models, n_images, 4 as n_domains,
        accuracy_from, accuracy_to, score_from, score_to, coverage_from, coverage_to, accuracy_gain_se, score_gain_se, coverage_gain_se
    from overall
),

both_origins as (
    select
        protocol, reader, provenance, origin, level, transition, domain, category, n_models, n_images, n_domains,
        accuracy_from, accuracy_to, score_from, score_to, coverage_from, coverage_to, accuracy_gain_se, score_gain_se, coverage_gain_se,
        accuracy_to - accuracy_from as accuracy_gain,
        score_to - score_from as score_gain,
        coverage_to - coverage_from as coverage_gain
    from stacked
),

long_gains as (
    select protocol, reader, provenance, origin, level, domain, category, accuracy_gain
    from both_origins
    where transition = 'Short to Long'
)

select
    cast(b.protocol as varchar) as protocol,
    cast(b.reader as varchar) as reader,
    cast(b.provenance as varchar) as provenance,
    cast(b.origin as varchar) as origin,
    cast(b.level as varchar) as level,
    cast(b.transition as varchar) as transition,
    cast(b.domain as varchar) as domain,
    cast(b.category as varchar) as category,
    cast(b.n_models as bigint) as n_models,
    cast(b.n_images as bigint) as n_images,
    cast(b.accuracy_from as double) as accuracy_from,
    cast(b.accuracy_to as double) as accuracy_to,
    cast(b.accuracy_gain as double) as accuracy_gain,
    cast(b.accuracy_gain_se as double) as accuracy_gain_se,
    cast(b.accuracy_gain - t_margin(b.accuracy_gain_se, b.n_images - b.n_domains + 1) as double) as accuracy_gain_low,
    cast(b.accuracy_gain + t_margin(b.accuracy_gain_se, b.n_images - b.n_domains + 1) as double) as accuracy_gain_high,
    cast(b.score_from as double) as score_from,
    cast(b.score_to as double) as score_to,
    cast(b.score_gain as double) as score_gain,
    cast(b.score_gain_se as double) as score_gain_se,
    cast(b.score_gain - t_margin(b.score_gain_se, b.n_images - b.n_domains + 1) as double) as score_gain_low,
    cast(b.score_gain + t_margin(b.score_gain_se, b.n_images - b.n_domains + 1) as double) as score_gain_high,
    cast(b.coverage_from as double) as coverage_from,
    cast(b.coverage_to as double) as coverage_to,
    cast(b.coverage_gain as double) as coverage_gain,
    cast(b.coverage_gain_se as double) as coverage_gain_se,
    cast(b.coverage_gain - t_margin(b.coverage_gain_se, b.n_images - b.n_domains + 1) as double) as coverage_gain_low,
    cast(b.coverage_gain + t_margin(b.coverage_gain_se, b.n_images - b.n_domains + 1) as double) as coverage_gain_high,
    cast(percent_of(b.accuracy_gain, l.accuracy_gain) as double) as share_of_long,
    cast(rank() over (partition by b.protocol, b.reader, b.provenance, b.origin, b.level, b.transition order by b.accuracy_gain desc) as bigint) as place,
    cast(b.accuracy_gain < 0 as boolean) as loses
from both_origins as b
left join long_gains as l
    on l.protocol = b.protocol and l.reader = b.reader and l.provenance = b.provenance and l.origin = b.origin
    and l.level = b.level and l.domain = b.domain and l.category = b.category and b.transition = 'Short to Simple';

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
