-- model: captionqa_gap
-- what: "utility gap: accuracy of a model that sees the image minus accuracy of a reader of its caption"
-- grain: one row per protocol, reader of the captions, prompt, provenance, origin, model and domain
-- key: [protocol, reader, prompt, provenance, origin, model_id, domain]
-- inputs: [captionqa_image_sums, captionqa_results, published, models]
-- source: CaptionQA Table 4 and Figure 4; section 5.3 for the relative gap
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the reader of the captions; the model itself reads the image]
--   prompt: [varchar, caption prompt; the paper prints Simple]
--   provenance: [varchar, "published, measured or simulated"]
--   origin: [varchar, [answers, published], "base table that the figures come from: answers or published"]
--   model_id: [varchar, model that wrote the captions and that saw the images]
--   domain: [varchar, "domain, or Overall: the mean of the four domains"]
--   model: [varchar, name of the model to show to people]
--   image_accuracy: [double, percent, 0..100.01, accuracy on the image; for printed rows caption accuracy plus gap]
--   caption_accuracy: [double, percent, 0..100, accuracy on the caption; null when the paper does not print it]
--   gap: [double, points, -100..100, not null, image accuracy minus caption accuracy]
--   relative_gap: [double, percent, gap as a share of the image accuracy; null without caption accuracy]
--   relative_gap_se: [double, percent, "standard error of relative_gap by the delta method, clustered by image: both accuracies come from
--       the same images; null for printed rows and for a single image"]
--   gap_se: [double, points, "standard error of gap, paired and clustered by image; null for printed rows and for a single image"]
--   n_images: [bigint, count, images that both sides answered for; null for printed rows]
--   n_questions: [bigint, count, answers about those images on the side of the caption; null for printed rows]
-- intervals:
--   image_accuracy: share(seen_answers, seen_freedom + 1); effective images - domains degrees of freedom
--   caption_accuracy: share(n_questions, read_freedom + 1); effective images - domains degrees of freedom
--   gap, relative_gap: t(least(seen_freedom, read_freedom) + 1); effective images - domains degrees of freedom

with sums as (
    select protocol, reader, evidence, model_id, prompt, provenance, domain, image_id, n_answers, n_correct
    from captionqa_image_sums
),

printed_gaps as (
    select model_id, domain, value as gap
    from published
    where benchmark = 'captionqa' and source = 'paper' and item = 'Table 4' and metric = 'utility_gap'
),

printed_results as (
    select protocol, reader, prompt, model_id, domain, accuracy
    from captionqa_results
    where origin = 'published' and prompt = 'Simple' and evidence = 'caption'
),

registry as (
    select model_id, name
    from models
),

seen as (
    select protocol, model_id, provenance, domain, image_id, sum(n_answers) as n_answers, sum(n_correct) as n_correct
    from sums
    where evidence = 'image'
    group by protocol, model_id, provenance, domain, image_id
),

read as (
    select protocol, reader, prompt, model_id, provenance, domain, image_id, sum(n_answers) as n_answers, sum(n_correct) as n_correct
    from sums
    where evidence = 'caption'
    group by protocol, reader, prompt, model_id, provenance, domain, image_id
),

pairs as (
    select
        r.protocol, r.reader, r.prompt, r.provenance, r.model_id, r.domain, r.image_id,
        s.n_answers as seen_answers, s.n_correct as seen_correct, r.n_answers as read_answers, r.n_correct as read_correct
    from read as r
    inner join seen as s
        on s.protocol = r.protocol and s.model_id = r.model_id and s.provenance = r.provenance
        and s.domain = r.domain and s.image_id = r.image_id
),

totals as (
    select
        protocol, reader, prompt, provenance, model_id, domain,
        count(*) as n_images,
        sum(seen_answers) as seen_answers, sum(seen_correct) as seen_correct,
        sum(read_answers) as read_answers, sum(read_correct) as read_correct,
        clusters_of(sum(seen_answers), sum(seen_answers * seen_answers)) - 1 as seen_freedom,
        clusters_of(sum(read_answers), sum(read_answers * read_answers)) - 1 as read_freedom
    from pairs
    group by protocol, reader, prompt, provenance, model_id, domain
),

squares as (
    select
        p.protocol, p.reader, p.prompt, p.provenance, p.model_id, p.domain,
        sum(exact_square(share_part(p.seen_correct, p.seen_answers, t.seen_correct, t.seen_answers))) as seen_squares,
        sum(exact_square(share_part(p.read_correct, p.read_answers, t.read_correct, t.read_answers))) as read_squares,
        sum(exact_square(
            share_part(p.seen_correct, p.seen_answers, t.seen_correct, t.seen_answers)
            - share_part(p.read_correct, p.read_answers, t.read_correct, t.read_answers)
        )) as gap_squares
    from pairs as p
    inner join totals as t
        on t.protocol = p.protocol and t.reader = p.reader and t.prompt = p.prompt and t.provenance = p.provenance
        and t.model_id = p.model_id and t.domain = p.domain
    group by p.protocol, p.reader, p.prompt, p.provenance, p.model_id, p.domain
),

domains as (
    select
        t.protocol, t.reader, t.prompt, t.provenance, 'answers' as origin, t.model_id, t.domain,
        percent_of(t.seen_correct, t.seen_answers) as image_accuracy,
        percent_of(t.read_correct, t.read_answers) as caption_accuracy,
        percent_of(t.seen_correct, t.seen_answers) - percent_of(t.read_correct, t.read_answers) as gap,
        parts_variance(s.seen_squares, t.n_images) as image_variance,
        parts_variance(s.read_squares, t.n_images) as caption_variance,
        parts_variance(s.gap_squares, t.n_images) as gap_variance,
        t.n_images, t.seen_answers, t.seen_freedom, t.read_freedom,
        t.read_answers as n_questions
    from totals as t
    inner join squares as s
        on s.protocol = t.protocol and s.reader = t.reader and s.prompt = t.prompt and s.provenance = t.provenance
        and s.model_id = t.model_id and s.domain = t.domain
    union all
    select
        'captionqa/upstream' as protocol, paper_reader() as reader, 'Simple' as prompt, 'published' as provenance,
        'published' as origin, g.model_id, g.domain,
        cast(exact(p.accuracy) + exact(g.gap) as double) as image_accuracy,
        p.accuracy as caption_accuracy,
        g.gap,
        null as image_variance, null as caption_variance, null as gap_variance, null as n_images,
        null as seen_answers, null as seen_freedom, null as read_freedom, null as n_questions
    from printed_gaps as g
    left join printed_results as p on p.model_id = g.model_id and p.domain = g.domain
),

-- The domains share no images (audit one_domain of captionqa_image_sums): their variances are added.
overall as (
    select
        protocol, reader, prompt, provenance, origin, model_id, 'Overall' as domain,
        case when count(image_accuracy) = 4 then cast(sum(exact(image_accuracy)) as double) / 4 end as image_accuracy,
        case when count(caption_accuracy) = 4 then cast(sum(exact(caption_accuracy)) as double) / 4 end as caption_accuracy,
        cast(sum(exact(gap)) as double) / 4 as gap,
        case when count(image_variance) = 4 then cast(sum(image_variance) as double) / 16 end as image_variance,
        case when count(caption_variance) = 4 then cast(sum(caption_variance) as double) / 16 end as caption_variance,
        case when count(gap_variance) = 4 then cast(sum(gap_variance) as double) / 16 end as gap_variance,
        sum(n_images) as n_images, sum(seen_answers) as seen_answers,
        cast(sum(exact_mean(seen_freedom)) as double) as seen_freedom, cast(sum(exact_mean(read_freedom)) as double) as read_freedom,
        sum(n_questions) as n_questions
    from domains
    where domain in ('Natural', 'Document', 'E-commerce', 'Embodied AI')
    group by protocol, reader, prompt, provenance, origin, model_id
    having count(*) = 4
),

both_origins as (
    select
        protocol, reader, prompt, provenance, origin, model_id, domain,
        image_accuracy, caption_accuracy, gap, cast(image_variance as double) as image_variance,
            cast(caption_variance as double) as caption_variance,
        cast(gap_variance as double) as gap_variance, n_images, seen_answers, seen_freedom, read_freedom, n_questions
    from domains
    union all
    select
        protocol, reader, prompt, provenance, origin, model_id, domain,
        image_accuracy, caption_accuracy, gap, image_variance, caption_variance, gap_variance, n_images, seen_answers, seen_freedom,
            read_freedom, n_questions
    from overall
),

-- The relative gap is 100 * (1 - c / i), c the accuracy on the caption and i on the image, and moves by
-- 100 * (c / i * di - dc) / i; twice the covariance of c and i is the sum of their variances less that of the gap.
errors as (
    select
        protocol, reader, prompt, provenance, origin, model_id, domain,
        image_accuracy, caption_accuracy, gap, n_images, seen_answers, seen_freedom, read_freedom, n_questions,
        sqrt(image_variance) as image_se, sqrt(caption_variance) as caption_se, sqrt(gap_variance) as gap_se,
        100 * sqrt(case when gap_variance is not null then greatest(
            caption_variance + pow(caption_accuracy / nullif(image_accuracy, 0), 2) * image_variance
            - caption_accuracy / nullif(image_accuracy, 0) * (image_variance + caption_variance - gap_variance),
            0
        ) end) / nullif(image_accuracy, 0) as relative_se
    from both_origins
)

select
    b.protocol, b.reader, b.prompt, b.provenance, b.origin, b.model_id, b.domain,
    coalesce(r.name, b.model_id) as model,
    b.image_accuracy,
    b.image_se as image_accuracy_se,
    b.caption_accuracy,
    b.caption_se as caption_accuracy_se,
    b.gap,
    percent_of(b.gap, b.image_accuracy) as relative_gap,
    b.relative_se as relative_gap_se,
    b.gap_se, b.n_images, b.n_questions, b.seen_answers, b.seen_freedom, b.read_freedom
from errors as b
left join registry as r on r.model_id = b.model_id;

-- audit: gap_is_the_difference: the gap is what lies between the two accuracies
select model_id, domain, origin, image_accuracy, caption_accuracy, gap
from captionqa_gap
where abs(image_accuracy - caption_accuracy - gap) > 0.000001;
