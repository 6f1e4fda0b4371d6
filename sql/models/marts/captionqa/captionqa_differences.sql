-- what: how far each captioner lies behind the best one of its ranking on the questions that both have answers to,
--     paired by image; QA-on-caption only
-- key: [protocol, reader, prompt, provenance, domain, metric, captioner]
-- source: "CaptionQA Tables 3 and 11 to 26: their order; paired differences are beyond the paper"
-- columns:
--   condition_id, protocol, reader, prompt, provenance, captioner, captioner_name:
--   domain: [varchar, "domain, or Overall: the mean of the domains of an overall score"]
--   metric: [varchar, [score, accuracy]]
--   best: [varchar, "id of the captioner with the highest value of the metric in captionqa_scores in the domain, or overall, among those
--       with main_set; of equal ones the first by id"]
--   best_name: [varchar, name of the best captioner to show to people]
--   value: [double, percent, 0..105, "mean of the captioner over the questions that both have answers to; null where there is none, as all
--       that is made of it"]
--   best_value: [double, percent, 0..105, mean of the best captioner over the same questions]
--   difference: [double, points, -105..105, "value less best_value: below 0 behind the best; above 0 only where the best owes its place to
--       questions that the captioner has no answers to"]
--   difference_se: [double, points, "standard error of difference, paired and clustered by image: overall the domains share no images;
--       null for a single image"]
--   n_images: [bigint, count, 0.., images with such questions]
--   n_answers: [bigint, count, 0.., "answers to them from the captioner's captions, repetitions included"]
--   note:
-- intervals:
--   difference: difference(value, best_value, n_answers, clusters); effective images - 1 degrees of freedom, over domains Satterthwaite's

with rankings as (
    select
        condition_id, s.domain as ranking, v.metric,
        first_value(condition_id) over (
            partition by protocol, reader, prompt, provenance, s.domain, v.metric order by main_set desc, exact(v.value) desc, captioner
        ) as best_id
    from captionqa_scores as s
    cross join lateral (values ('score', s.score), ('accuracy', s.accuracy)) as v (metric, value)
    where s.evidence = 'caption' and s.origin = 'answers' and s.level in ('overall', 'domain')
),

read as (
    select condition_id, domain, image_id, question_set, n_answers, n_correct, score_parts
    from merged_captionqa_images()
    where level = 'domain' and evidence = 'caption'
),

-- Whom a captioner is beside in a domain: the best there, and the best overall for the mean over domains. Mostly that is one.
beside as (
    select distinct condition_id, best_id, domain
    from rankings
    inner join (select distinct condition_id, domain from read) using (condition_id)
    where condition_id <> best_id and ranking in (domain, 'Overall')
),

-- Each image is looked up with the captioner's own, because images that all share, beside each other first, are millions of pairs.
own as materialized (
    select condition_id, best_id, domain, image_id, question_set, n_answers, n_correct, score_parts
    from beside
    inner join read using (condition_id, domain)
),

images as (
    select
        a.condition_id, a.best_id, a.domain, a.image_id, a.question_set is distinct from b.question_set as uneven,
        a.n_answers, b.n_answers as best_answers, a.score_parts as score, b.score_parts as best_score,
        a.n_correct as correct, b.n_correct as best_correct
    from own as a
    inner join read as b on b.condition_id = a.best_id and b.domain = a.domain and b.image_id = a.image_id
),

questions_read as (
    select condition_id, image_id, question_id, n_answers, n_correct, score_parts
    from captionqa_uneven_answers
),

-- Of an image about which the two did not answer the same questions, those that both answered. Correct answers are counted in parts of a
-- score.
pairs as (
    select
        condition_id, best_id, domain, n_answers, best_answers, score, best_score,
        correct * score_parts(1) as correct, best_correct * score_parts(1) as best_correct
    from images
    where not uneven
    union all
    select
        i.condition_id, i.best_id, i.domain, total(a.n_answers), total(b.n_answers), total(a.score_parts), total(b.score_parts),
        total(a.n_correct * score_parts(1)), total(b.n_correct * score_parts(1))
    from images as i
    inner join questions_read as a on a.condition_id = i.condition_id and a.image_id = i.image_id
    inner join questions_read as b on b.condition_id = i.best_id and b.image_id = i.image_id and b.question_id = a.question_id
    where i.uneven
    group by i.condition_id, i.best_id, i.domain, i.image_id
),

-- What an image moves the difference.
moved as (
    select
        *,
        score_of_parts(
            share_part(score, n_answers, sum(score) over cell, sum(n_answers) over cell)
            - share_part(best_score, best_answers, sum(best_score) over cell, sum(best_answers) over cell)
        ) as score_part,
        score_of_parts(
            share_part(correct, n_answers, sum(correct) over cell, sum(n_answers) over cell)
            - share_part(best_correct, best_answers, sum(best_correct) over cell, sum(best_answers) over cell)
        ) as correct_part
    from pairs
    window cell as (partition by condition_id, best_id, domain)
),

cells as (
    select
        condition_id, best_id, domain,
        score_of_parts(percent_of(sum(score), sum(n_answers))) as score,
        score_of_parts(percent_of(sum(best_score), sum(best_answers))) as best_score,
        parts_variance(sum(exact_square(score_part)), count(*)) as score_variance,
        score_of_parts(percent_of(sum(correct), sum(n_answers))) as accuracy,
        score_of_parts(percent_of(sum(best_correct), sum(best_answers))) as best_accuracy,
        parts_variance(sum(exact_square(correct_part)), count(*)) as accuracy_variance,
        least(effective_clusters(n_answers), effective_clusters(best_answers)) as clusters,
        count(*) as n_images, sum(n_answers) as n_answers
    from moved
    group by condition_id, best_id, domain
),

domains as (
    select
        condition_id, best_id, ranking, metric, domain,
        case metric when 'score' then score else accuracy end as value,
        case metric when 'score' then best_score else best_accuracy end as best_value,
        case metric when 'score' then score_variance else accuracy_variance end as variance,
        clusters, n_images, n_answers
    from rankings
    inner join beside using (condition_id, best_id)
    left join cells using (condition_id, best_id, domain)
    where ranking in (domain, 'Overall')
),

-- The domains share no images (audit one_domain of captionqa_images): their variances are added.
with_overall as (
    select condition_id, best_id, metric, domain, value, best_value, variance, clusters, n_images, n_answers
    from domains
    where ranking = domain
    union all
    select
        condition_id, best_id, metric, ranking, domain_mean(value, n_domains), domain_mean(best_value, n_domains),
        domain_variance(variance, n_domains), domain_clusters(clusters), sum(n_images), sum(n_answers)
    from domains
    inner join conditions using (condition_id)
    where ranking = 'Overall' and (is_published_domain(domain) or not published_domains)
    group by condition_id, best_id, metric, ranking
    having count(*) = max(n_domains)
)

select
    c.condition_id, c.protocol, c.reader, c.prompt, c.provenance, domain, metric, c.captioner, c.captioner_name,
    b.captioner as best, b.captioner_name as best_name, value, best_value, value - best_value as difference,
    sqrt(variance) as difference_se, coalesce(n_images, 0) as n_images, coalesce(n_answers, 0) as n_answers, clusters,
    case when value is null then case domain when 'Overall' then 'in a domain, ' else '' end
        || 'no question that both have answers to' end as note
from with_overall
inner join conditions as c using (condition_id)
inner join conditions as b on b.condition_id = best_id;

-- audit: nobody_is_better: whoever is compared with has the highest score of those that answered the same questions
select d.protocol, d.reader, d.prompt, d.provenance, d.domain, d.captioner, d.best, s.score, b.score as best_score
from captionqa_differences as d
inner join captionqa_scores as s
    on s.condition_id = d.condition_id and s.domain = d.domain
inner join captionqa_scores as b
    on b.condition_id = condition_of(d.protocol, d.reader, 'caption', d.best, d.prompt, d.provenance) and b.domain = d.domain
        and b.level = s.level
where d.metric = 'score' and s.origin = 'answers' and b.origin = 'answers' and s.level in ('overall', 'domain')
    and b.question_set = s.question_set and s.score > b.score + 0.000001;
