-- what: "utility gap: accuracy of a model that sees the image minus accuracy of a reader of its caption, on the same questions"
-- key: [protocol, reader, prompt, provenance, origin, captioner, domain]
-- source: CaptionQA Table 4 and Figure 4; section 5.3 for the relative gap
-- columns:
--   condition_id:
--   protocol:
--   reader: [varchar, id of the reader of the captions; the captioner itself reads the image]
--   prompt: [varchar, caption prompt; the paper prints Simple]
--   provenance:
--   origin: [varchar, [answers, published], "base table that the figures come from: answers or published"]
--   captioner: [varchar, id of the model that wrote the captions and that saw the images]
--   captioner_name:
--   domain: [varchar, "domain, or Overall: the mean of the domains of an overall score"]
--   image_accuracy: [double, percent, 0..100.01, "accuracy on the image, over the questions that both sides answered; null where there is
--       none, as all that is made of it; for printed rows caption accuracy plus gap"]
--   caption_accuracy: [double, percent, 0..100, "accuracy on the caption, over the same questions; null when the paper does not print
--       it"]
--   gap: [double, points, -100..100, image accuracy minus caption accuracy]
--   gap_se: [double, points, "standard error of gap, paired and clustered by image; null for printed rows and for a single image"]
--   relative_gap: [double, percent, gap as a share of the image accuracy; null without caption accuracy]
--   relative_gap_se: [double, percent, "standard error of relative_gap by the delta method, clustered by image: both accuracies come from
--       the same images; null for printed rows and for a single image"]
--   n_images: [bigint, count, images with questions that both sides answered; null for printed rows]
--   n_questions: [bigint, count, answers to them on the side of the caption; null for printed rows]
--   note:
-- intervals:
--   image_accuracy: share(seen_answers, seen_freedom + 1); effective images - 1 degrees of freedom, over domains Satterthwaite's
--   caption_accuracy: share(n_questions, read_freedom + 1); effective images - 1 degrees of freedom, over domains Satterthwaite's
--   gap: "difference(image_accuracy, caption_accuracy, n_questions, least(seen_freedom, read_freedom) + 1); effective images - 1 degrees of
--       freedom, over domains Satterthwaite's"
--   relative_gap: t(least(seen_freedom, read_freedom) + 1); effective images - 1 degrees of freedom, over domains Satterthwaite's

-- Beside each condition of a captioner's captions, what it answered from the images.
with sides as (
    select c.condition_id, i.condition_id as seen_id
    from conditions as c
    inner join conditions as i using (protocol, captioner, provenance)
    where c.evidence = 'caption' and i.evidence = 'image'
),

seen as (
    select
        s.condition_id, domain, image_id,
        total(n_answers) as seen_answers, total(n_correct) as seen_correct, total(question_set) as seen_set
    from merged_captionqa_images() as i
    inner join sides as s on seen_id = i.condition_id
    where level = 'domain'
    group by s.condition_id, domain, image_id
),

read as (
    select
        condition_id, domain, image_id, n_answers as read_answers, n_correct as read_correct, question_set as read_set
    from merged_captionqa_images()
    where level = 'domain' and condition_id in (select condition_id from sides)
),

images as (
    select *, seen_set is distinct from read_set as uneven
    from read
    inner join seen using (condition_id, domain, image_id)
),

seen_questions as (
    select s.condition_id, image_id, question_id, total(n_answers) as seen_answers, total(n_correct) as seen_correct
    from captionqa_uneven_answers as a
    inner join sides as s on seen_id = a.condition_id
    group by s.condition_id, image_id, question_id
),

read_questions as (
    select condition_id, image_id, question_id, total(n_answers) as read_answers, total(n_correct) as read_correct
    from captionqa_uneven_answers
    where evidence = 'caption'
    group by condition_id, image_id, question_id
),

-- Of an image about which the two sides did not answer the same questions, those that both answered.
pairs as (
    select condition_id, domain, image_id, seen_answers, seen_correct, read_answers, read_correct
    from images
    where not uneven
    union all
    select
        condition_id, i.domain, image_id, total(s.seen_answers), total(s.seen_correct), total(r.read_answers), total(r.read_correct)
    from (select condition_id, domain, image_id from images where uneven) as i
    inner join read_questions as r using (condition_id, image_id)
    inner join seen_questions as s using (condition_id, image_id, question_id)
    group by condition_id, i.domain, image_id
),

-- What each image moves the two accuracies.
parts as (
    select
        *,
        share_part(seen_correct, seen_answers, sum(seen_correct) over cell, sum(seen_answers) over cell) as seen_part,
        share_part(read_correct, read_answers, sum(read_correct) over cell, sum(read_answers) over cell) as read_part
    from (select condition_id, domain from read intersect select condition_id, domain from seen)
    left join pairs using (condition_id, domain)
    window cell as (partition by condition_id, domain)
),

domains as (
    select
        condition_id, 'answers' as origin, domain,
        percent_of(sum(seen_correct), sum(seen_answers)) as image_accuracy,
        percent_of(sum(read_correct), sum(read_answers)) as caption_accuracy,
        percent_of(sum(seen_correct), sum(seen_answers)) - percent_of(sum(read_correct), sum(read_answers)) as gap,
        parts_variance(sum(exact_square(seen_part)), count(*)) as image_variance,
        parts_variance(sum(exact_square(read_part)), count(*)) as caption_variance,
        parts_variance(sum(exact_square(seen_part - read_part)), count(*)) as gap_variance,
        count(image_id) as n_images, coalesce(sum(seen_answers), 0) as seen_answers, coalesce(sum(read_answers), 0) as n_questions,
        effective_clusters(seen_answers) - 1 as seen_freedom, effective_clusters(read_answers) - 1 as read_freedom
    from parts
    group by condition_id, domain
    union all
    select
        g.condition_id, 'published', g.domain,
        cast(exact(r.accuracy) + exact(g.value) as double), r.accuracy, g.value, null, null, null, null, null, null, null, null
    from (
        select
            condition_of(
                paper_protocol(), paper_reader(), 'caption', coalesce(nullif(model_id, ''), model), 'Simple', 'published'
            ) as condition_id, domain, value
        from published
        where benchmark = 'captionqa' and source = 'paper' and item = 'Table 4' and metric = 'utility_gap'
    ) as g
    left join captionqa_scores as r
        on r.level = 'domain' and r.origin = 'published' and r.condition_id = g.condition_id and r.domain = g.domain
),

-- The domains share no images (audit one_domain of captionqa_images): their variances are added.
with_overall as (
    select * from domains
    union all
    select
        condition_id, origin, 'Overall' as domain,
        domain_mean(image_accuracy, n_domains), domain_mean(caption_accuracy, n_domains), domain_mean(gap, n_domains),
        domain_variance(image_variance, n_domains), domain_variance(caption_variance, n_domains), domain_variance(gap_variance, n_domains),
        sum(n_images), sum(seen_answers), sum(n_questions), domain_clusters(seen_freedom + 1) - 1, domain_clusters(read_freedom + 1) - 1
    from domains
    inner join conditions using (condition_id)
    where is_published_domain(domain) or not published_domains
    group by condition_id, origin
    having count(*) = max(n_domains)
)

select
    condition_id, protocol, reader, prompt, provenance, origin, captioner, captioner_name, domain,
    image_accuracy, sqrt(image_variance) as image_accuracy_se, caption_accuracy, sqrt(caption_variance) as caption_accuracy_se,
    gap, sqrt(gap_variance) as gap_se,
    percent_of(gap, image_accuracy) as relative_gap,
    -- The relative gap is 100 * (1 - c / i), c the accuracy on the caption and i on the image, and moves by
    -- 100 * (c / i * di - dc) / i; twice the covariance of c and i is the sum of their variances less that of the gap.
    100 * sqrt(case when gap_variance is not null then greatest(
        caption_variance + pow(ratio_of(caption_accuracy, image_accuracy), 2) * image_variance
        - ratio_of(caption_accuracy, image_accuracy) * (image_variance + caption_variance - gap_variance),
        0
    ) end) / nullif(image_accuracy, 0) as relative_gap_se,
    n_images, n_questions, seen_answers, seen_freedom, read_freedom,
    case when gap is null then case domain when 'Overall' then 'in a domain, ' else '' end
        || 'no question that was answered both from the image and from the caption' end as note
from with_overall
inner join conditions using (condition_id);

-- audit: gap_is_the_difference: the gap is what lies between the two accuracies
select captioner, domain, origin, image_accuracy, caption_accuracy, gap
from captionqa_gap
where abs(image_accuracy - caption_accuracy - gap) > 0.000001;
