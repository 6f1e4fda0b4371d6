-- what: "utility gap: accuracy of a model that sees the image minus accuracy of a reader of its caption, on the same questions"
-- key: [protocol, reader, prompt, provenance, origin, captioner, domain]
-- source: CaptionQA Table 4 and Figure 4; section 5.3 for the relative gap
-- columns:
--   protocol:
--   reader: [varchar, id of the reader of the captions; the captioner itself reads the image]
--   prompt: [varchar, caption prompt; the paper prints Simple]
--   provenance:
--   origin: [varchar, [answers, published], "base table that the figures come from: answers or published"]
--   captioner: [varchar, id of the model that wrote the captions and that saw the images]
--   captioner_name:
--   domain: [varchar, "domain, or Overall: the mean of the domains that overall_domains lists"]
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

with seen as (
    select
        protocol, captioner, provenance, domain, image_id,
        total(n_answers) as seen_answers, total(n_correct) as seen_correct, total(question_set) as seen_set
    from captionqa_domain_images
    where evidence = 'image'
    group by protocol, captioner, provenance, domain, image_id
),

read as (
    select
        protocol, reader, prompt, captioner, provenance, domain, image_id,
        n_answers as read_answers, n_correct as read_correct, question_set as read_set
    from captionqa_domain_images
    where evidence = 'caption' and captioner in (select captioner from seen)
),

images as (
    select *, seen_set is distinct from read_set as uneven
    from read
    inner join seen using (protocol, captioner, provenance, domain, image_id)
),

seen_questions as (
    select
        protocol, captioner, provenance, image_id, question_id, total(n_answers) as seen_answers, total(n_correct) as seen_correct
    from captionqa_uneven_answers
    where evidence = 'image'
    group by protocol, captioner, provenance, image_id, question_id
),

read_questions as (
    select
        protocol, reader, prompt, captioner, provenance, image_id, question_id,
        total(n_answers) as read_answers, total(n_correct) as read_correct
    from captionqa_uneven_answers
    where evidence = 'caption'
    group by protocol, reader, prompt, captioner, provenance, image_id, question_id
),

-- Of an image about which the two sides did not answer the same questions, those that both answered.
pairs as (
    select
        protocol, reader, prompt, captioner, provenance, domain, image_id, seen_answers, seen_correct, read_answers, read_correct
    from images
    where not uneven
    union all
    select
        i.protocol, i.reader, i.prompt, i.captioner, i.provenance, i.domain, i.image_id,
        total(s.seen_answers), total(s.seen_correct), total(r.read_answers), total(r.read_correct)
    from (select protocol, reader, prompt, captioner, provenance, domain, image_id from images where uneven) as i
    inner join read_questions as r using (protocol, reader, prompt, captioner, provenance, image_id)
    inner join seen_questions as s using (protocol, captioner, provenance, image_id, question_id)
    group by i.protocol, i.reader, i.prompt, i.captioner, i.provenance, i.domain, i.image_id
),

-- What each image moves the two accuracies.
parts as (
    select
        *,
        share_part(seen_correct, seen_answers, sum(seen_correct) over cell, sum(seen_answers) over cell) as seen_part,
        share_part(read_correct, read_answers, sum(read_correct) over cell, sum(read_answers) over cell) as read_part
    from (select distinct protocol, reader, prompt, captioner, provenance, domain from read)
    inner join (select distinct protocol, captioner, provenance, domain from seen) using (protocol, captioner, provenance, domain)
    left join pairs using (protocol, reader, prompt, captioner, provenance, domain)
    window cell as (partition by protocol, reader, prompt, captioner, provenance, domain)
),

domains as (
    select
        protocol, reader, prompt, provenance, 'answers' as origin, captioner, domain,
        percent_of(sum(seen_correct), sum(seen_answers)) as image_accuracy,
        percent_of(sum(read_correct), sum(read_answers)) as caption_accuracy,
        percent_of(sum(seen_correct), sum(seen_answers)) - percent_of(sum(read_correct), sum(read_answers)) as gap,
        parts_variance(sum(exact_square(seen_part)), count(*)) as image_variance,
        parts_variance(sum(exact_square(read_part)), count(*)) as caption_variance,
        parts_variance(sum(exact_square(seen_part - read_part)), count(*)) as gap_variance,
        count(image_id) as n_images, coalesce(sum(seen_answers), 0) as seen_answers, coalesce(sum(read_answers), 0) as n_questions,
        effective_clusters(seen_answers) - 1 as seen_freedom, effective_clusters(read_answers) - 1 as read_freedom
    from parts
    group by protocol, reader, prompt, provenance, captioner, domain
    union all
    select
        paper_protocol(), paper_reader(), 'Simple', 'published', 'published', g.model_id, g.domain,
        cast(exact(r.accuracy) + exact(g.value) as double), r.accuracy, g.value, null, null, null, null, null, null, null, null
    from published as g
    left join captionqa_scores as r
        on r.level = 'domain' and r.origin = 'published' and r.evidence = 'caption' and r.prompt = 'Simple' and r.captioner = g.model_id
            and r.domain = g.domain
    where g.benchmark = 'captionqa' and g.source = 'paper' and g.item = 'Table 4' and g.metric = 'utility_gap'
),

-- The domains share no images (audit one_domain of captionqa_domain_images): their variances are added.
with_overall as (
    select * from domains
    union all
    select
        protocol, reader, prompt, provenance, origin, captioner, 'Overall' as domain,
        domain_mean(image_accuracy, n_domains), domain_mean(caption_accuracy, n_domains), domain_mean(gap, n_domains),
        domain_variance(image_variance, n_domains), domain_variance(caption_variance, n_domains), domain_variance(gap_variance, n_domains),
        sum(n_images), sum(seen_answers), sum(n_questions), domain_clusters(seen_freedom + 1) - 1, domain_clusters(read_freedom + 1) - 1
    from domains
    inner join (select * from overall_domains where evidence = 'caption') as o using (protocol, reader, prompt, provenance, origin, domain)
    group by protocol, reader, prompt, provenance, origin, captioner
    having count(*) = max(n_domains)
)

select
    protocol, reader, prompt, provenance, origin, captioner, coalesce(name, captioner) as captioner_name, domain,
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
left join models on model_id = captioner;

-- audit: gap_is_the_difference: the gap is what lies between the two accuracies
select captioner, domain, origin, image_accuracy, caption_accuracy, gap
from captionqa_gap
where abs(image_accuracy - caption_accuracy - gap) > 0.000001;
