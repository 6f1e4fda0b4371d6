-- what: "utility gap: accuracy of a model that sees the image minus accuracy of a reader of its caption, on the same
--     questions"
-- key: [protocol, reader, prompt, provenance, origin, captioner, domain]
-- source: CaptionQA Table 4 and Figure 4; section 5.3 for the relative gap
-- columns:
--   condition_id, protocol:
--   reader: [varchar, id of the reader of the captions; the captioner itself reads the image]
--   prompt: [varchar, caption prompt; the paper prints Simple]
--   provenance, origin:
--   captioner: [varchar, id of the model that wrote the captions and that saw the images]
--   captioner_name:
--   domain: [varchar, "domain, or the section that a mean of domains is over, such as Overall"]
--   image_accuracy: [double, percent, 0..100.01, "accuracy on the image, over the questions that both sides answered;
--       null without such questions, as the columns made of it; for printed rows caption accuracy plus gap"]
--   caption_accuracy: [double, percent, 0..100, "accuracy on the caption, over the same questions; null when the paper
--       does not print it"]
--   gap: [double, points, -100..100, image accuracy minus caption accuracy]
--   relative_gap: [double, percent, gap as a share of the image accuracy; null without caption accuracy]
--   relative_gap_se: [double, percent, "standard error of relative_gap by the delta method, clustered by image: both
--       accuracies come from the same images; null for printed rows and for a single image"]
--   n_images: [bigint, count, images with questions that both sides answered; null for printed rows]
--   n_questions: [bigint, count, answers to them on the side of the caption; null for printed rows]
--   note:
-- intervals:
--   image_accuracy: share(seen_answers, seen_clusters)
--   caption_accuracy: share(n_questions, read_clusters)
--   gap: difference(image_accuracy, caption_accuracy, n_questions, least(seen_clusters, read_clusters))
--   relative_gap: t(least(seen_clusters, read_clusters))

-- Each condition of a captioner's captions, with the captioner's answers from the images.
with sides as (
    select c.condition_id as a_id, i.condition_id as b_id
    from conditions as c
    inner join conditions as i using (protocol, captioner, provenance)
    where c.evidence = 'caption' and i.evidence = 'image'
),

images as (
    select * from answered() where level = 'domain'
        and condition_id in (select a_id from sides union select b_id from sides)
),

-- The effect of each image on the two accuracies.
parts as (
    select
        *, share_part(correct_b, n_b, sum(correct_b) over cell, sum(n_b) over cell) as seen_part,
        share_part(correct_a, n_a, sum(correct_a) over cell, sum(n_a) over cell) as read_part
    from paired('sides', 'images')
    window cell as (partition by a_id, domain)
),

compared as (
    select
        a_id as condition_id, domain, percent_of(sum(correct_b), sum(n_b)) as image_accuracy,
        percent_of(sum(correct_a), sum(n_a)) as caption_accuracy,
        percent_of(sum(correct_b), sum(n_b)) - percent_of(sum(correct_a), sum(n_a)) as gap,
        parts_error(sum(exact_square(seen_part)), count(*)) as image_accuracy_se,
        parts_error(sum(exact_square(read_part)), count(*)) as caption_accuracy_se,
        parts_error(sum(exact_square(seen_part - read_part)), count(*)) as gap_se,
        count(*) as n_images, sum(n_b) as seen_answers, sum(n_a) as n_questions,
        effective_clusters(n_b) as seen_clusters, effective_clusters(n_a) as read_clusters
    from parts
    group by a_id, domain
),

-- Where both sides have answers and no question in common, the gap is not known.
domains as (
    select *, 'answers' as origin
    from (
        select distinct a.condition_id, a.domain
        from images as a
        inner join sides on a_id = a.condition_id
        inner join images as b on b.condition_id = b_id and b.domain = a.domain
    ) as both_sides
    left join compared using (condition_id, domain)
    union all by name
    select
        g.condition_id, 'published' as origin, g.domain,
        cast(exact(r.accuracy) + exact(g.value) as double) as image_accuracy,
        r.accuracy as caption_accuracy, g.value as gap
    from (
        select
            condition_of(
                paper_protocol(), paper_reader(), 'caption', coalesce(nullif(model_id, ''), model), paper_prompt(),
                'published'
            ) as condition_id, domain, value
        from published
        where benchmark = 'captionqa' and source = 'paper' and item = 'Table 4' and metric = 'utility_gap'
    ) as g
    left join captionqa_scores as r
        on r.level = 'domain' and r.origin = 'published' and r.condition_id = g.condition_id and r.domain = g.domain
),

-- The domains share no images (audit one_domain of captionqa_images): their variances are added.
sectioned as (
    select
        condition_id, origin, section as domain, domain_mean(image_accuracy, n_domains) as image_accuracy,
        domain_mean(caption_accuracy, n_domains) as caption_accuracy, domain_mean(gap, n_domains) as gap,
        domain_error(
            image_accuracy_se, share_error(image_accuracy, image_accuracy_se, seen_answers, seen_clusters), n_domains
        ) as image_accuracy_se,
        domain_error(
            caption_accuracy_se, share_error(caption_accuracy, caption_accuracy_se, n_questions, read_clusters),
            n_domains
        ) as caption_accuracy_se,
        domain_error(
            gap_se, difference_error(image_accuracy, caption_accuracy, gap_se, n_questions,
                least(seen_clusters, read_clusters)), n_domains
        ) as gap_se, domain_error(image_accuracy_se, image_accuracy_se, n_domains) as seen_se,
        domain_error(caption_accuracy_se, caption_accuracy_se, n_domains) as read_se,
        domain_error(gap_se, gap_se, n_domains) as both_se,
        coalesce(sum(n_images), 0) as n_images, coalesce(sum(seen_answers), 0) as seen_answers,
        coalesce(sum(n_questions), 0) as n_questions,
        domain_clusters(seen_clusters) as seen_clusters, domain_clusters(read_clusters) as read_clusters,
        max(n_domains) as n_domains
    from domains
    inner join sections using (condition_id, domain)
    group by condition_id, origin, section
    having count(*) = max(n_domains)
)

select
    condition_id, protocol, reader, prompt, provenance, origin, captioner, captioner_name, domain,
    image_accuracy, image_accuracy_se, caption_accuracy, caption_accuracy_se, gap, gap_se,
    percent_of(gap, image_accuracy) as relative_gap,
    -- The relative gap is 100 * (1 - c / i), c the accuracy on the caption and i on the image, and moves by
    -- 100 * (c / i * di - dc) / i; twice the covariance of c and i is the sum of their variances less the gap's
    -- variance.
    100 * sqrt(case when gap_se is not null then greatest(
        pow(read_se, 2) + pow(ratio_of(caption_accuracy, image_accuracy) * seen_se, 2)
        - ratio_of(caption_accuracy, image_accuracy) * (pow(seen_se, 2) + pow(read_se, 2) - pow(both_se, 2)),
        0
    ) end) / nullif(image_accuracy, 0) as relative_gap_se,
    case origin when 'answers' then n_images end as n_images,
        case origin when 'answers' then n_questions end as n_questions, seen_answers,
    seen_clusters, read_clusters,
    case when gap is null then case when n_domains = 1 then '' else 'in a domain, ' end
        || 'no question that was answered both from the image and from the caption' else s.note end as note
from sectioned
inner join conditions using (condition_id)
left join (select condition_id, origin, domain, note from captionqa_scores where level in ('overall', 'domain')) as s
    using (condition_id, origin, domain);

-- audit: gap_is_the_difference: the gap is what lies between the two accuracies
select captioner, domain, origin, image_accuracy, caption_accuracy, gap
from captionqa_gap
where abs(image_accuracy - caption_accuracy - gap) > 0.000001;
