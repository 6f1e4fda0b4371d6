-- model: utility_per_word
-- what: "what a caption is worth for its length: score and accuracy per hundred words"
-- grain: one row per protocol, reader, prompt, provenance, origin, captioner, domain and provenance of the captions
-- key: [protocol, reader, prompt, provenance, origin, model_id, domain, caption_provenance]
-- inputs: [captionqa_results, captionqa_image_sums, caption_lengths, captions, stale_captions]
-- source: CaptionQA section 5.2 and Figure 13
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the model that answered]
--   prompt: [varchar, caption prompt]
--   provenance: [varchar, "published, measured or simulated"]
--   origin: [varchar, "base table that the figures come from: answers or published"]
--   model_id: [varchar, "captioner; empty for the means over all captioners, which is all that can be had of printed lengths"]
--   domain: [varchar, "domain; Overall, the mean of the four domains, for the means over all captioners"]
--   caption_provenance: [varchar, "whether the captions that were counted are published, measured or simulated"]
--   model: [varchar, name of the model to show to people]
--   score: [double, percent, 0..105, mean score]
--   accuracy: [double, percent, share of correct answers]
--   mean_words: [double, words, 0.., mean number of words of the captions]
--   score_per_100_words: [double, points, 0.., "score divided by the words, times 100"]
--   score_per_100_words_se: [double, points, 0.., "standard error by the delta method, clustered by image: score and words of an image go
--       together; null for printed rows and where fewer than two images have answers or captions"]
--   accuracy_per_100_words: [double, points, "accuracy divided by the words, times 100"]
--   gain_per_100_words: [double, points, score gained over the Short prompt per 100 words added; null for Short and where nothing was
--       added]
--   gain_per_100_words_se: [double, points, "standard error in the same way, both prompts paired on the same images; null where less than
--       0.01 words were added"]
--   n_images: [bigint, count, 1.., images with answers or captions under the prompt; null for printed rows]
-- intervals:
--   score, accuracy: given; as in captionqa_results; null for printed rows and for a single image
--   mean_words: given; as in caption_lengths; null for printed rows and for a single image
--   score_per_100_words, accuracy_per_100_words: t(clusters)
--   gain_per_100_words: t(gain_clusters)

with results as (
    select
        protocol, reader, prompt, provenance, origin, model_id, model, domain, n_images, n_answers,
        score, score_low, score_high, accuracy, accuracy_low, accuracy_high
    from captionqa_results
    where evidence = 'caption'
),

lengths as (
    select provenance, model_id, prompt, domain, n_images, n_captions, mean_words, mean_words_low, mean_words_high
    from caption_lengths
    where model_id <> '' and domain <> 'Overall'
),

texts as (
    select provenance, captioner as model_id, prompt, domain, image_id, words
    from counted_captions()
),

sums as (
    select protocol, reader, prompt, provenance, model_id, domain, image_id, n_answers, n_correct, score_parts
    from captionqa_image_sums
    where evidence = 'caption'
),

printed_lengths as (
    select provenance, model_id, prompt, domain, model, mean_words
    from caption_lengths
    where origin = 'published' and model_id = '' and domain = 'Overall'
),

-- Of an accuracy that is not printed (InternVL3 8B in Table 12) the mean over the others stands in.
domain_means as (
    select
        protocol, reader, prompt, provenance, origin, domain,
        ratio_of(sum(exact(score)), count(score)) as score,
        ratio_of(sum(exact(accuracy)), count(accuracy)) as accuracy
    from results
    where origin = 'published' and domain in ('Natural', 'Document', 'E-commerce', 'Embodied AI')
    group by protocol, reader, prompt, provenance, origin, domain
),

overall_means as (
    select
        protocol, reader, prompt, provenance, origin,
        cast(sum(exact(score)) as double) / 4 as score,
        cast(sum(exact(accuracy)) as double) / 4 as accuracy
    from domain_means
    group by protocol, reader, prompt, provenance, origin
    having count(score) = 4 and count(accuracy) = 4
),

measured as (
    select
        r.protocol, r.reader, r.prompt, r.provenance, r.origin, r.model_id, r.model, r.domain,
        r.score, r.score_low, r.score_high, r.accuracy, r.accuracy_low, r.accuracy_high,
        l.provenance as caption_provenance, l.mean_words, l.mean_words_low, l.mean_words_high,
        r.n_answers, l.n_captions, least(r.n_images, l.n_images) as least_images
    from results as r
    inner join lengths as l on l.model_id = r.model_id and l.prompt = r.prompt and l.domain = r.domain
    union all
    select
        o.protocol, o.reader, o.prompt, o.provenance, o.origin, p.model_id, p.model, p.domain,
        o.score, null as score_low, null as score_high, o.accuracy, null as accuracy_low, null as accuracy_high,
        p.provenance as caption_provenance, p.mean_words, null as mean_words_low, null as mean_words_high,
        null as n_answers, null as n_captions, null as least_images
    from overall_means as o
    inner join printed_lengths as p on p.prompt = o.prompt
),

joined as (
    select
        m.protocol, m.reader, m.prompt, m.provenance, m.origin, m.model_id, m.model, m.domain,
        m.score, m.score_low, m.score_high, m.accuracy, m.accuracy_low, m.accuracy_high,
        m.caption_provenance, m.mean_words, m.mean_words_low, m.mean_words_high, m.n_answers, m.n_captions, m.least_images,
        s.score as short_score, s.mean_words as short_words, s.least_images as least_short_images
    from measured as m
    left join measured as s
        on s.protocol = m.protocol and s.reader = m.reader and s.provenance = m.provenance and s.origin = m.origin
        and s.model_id = m.model_id and s.domain = m.domain and s.caption_provenance = m.caption_provenance
        and s.prompt = 'Short' and m.prompt <> 'Short'
),

answered as (
    select
        protocol, reader, prompt, provenance, model_id, domain, image_id,
        sum(n_answers) as n_answers, sum(n_correct) as n_correct, score_of_parts(sum(score_parts)) as score
    from sums
    group by protocol, reader, prompt, provenance, model_id, domain, image_id
),

described as (
    select provenance, model_id, prompt, domain, image_id, count(*) as n_captions, sum(words) as words
    from texts
    group by provenance, model_id, prompt, domain, image_id
),

-- What an image moves the score, the accuracy and the mean of the words of a prompt. An image that was answered for but
-- has no caption in the lake, or the other way round, moves only the one that it is in.
moves as (
    select
        m.protocol, m.reader, m.prompt, m.provenance, m.model_id, m.domain, m.caption_provenance, a.image_id,
        a.n_answers as n,
        exact(100 * (a.score - m.score / 100 * a.n_answers) / m.n_answers) as score_part,
        exact(100 * (a.n_correct - m.accuracy / 100 * a.n_answers) / m.n_answers) as accuracy_part,
        cast(null as decimal(27, 15)) as words_part
    from measured as m
    inner join answered as a
        on m.origin = 'answers' and a.protocol = m.protocol and a.reader = m.reader and a.prompt = m.prompt
        and a.provenance = m.provenance and a.model_id = m.model_id and a.domain = m.domain
    union all
    select
        m.protocol, m.reader, m.prompt, m.provenance, m.model_id, m.domain, m.caption_provenance, d.image_id,
        0 as n, null as score_part, null as accuracy_part,
        cast((d.words - m.mean_words * d.n_captions) / m.n_captions as decimal(27, 15)) as words_part
    from measured as m
    inner join described as d
        on m.origin = 'answers' and d.provenance = m.caption_provenance and d.model_id = m.model_id and d.prompt = m.prompt
        and d.domain = m.domain
),

parts as (
    select
        protocol, reader, prompt, provenance, model_id, domain, caption_provenance, image_id,
        sum(n) as n,
        cast(coalesce(sum(score_part), 0) as double) as score_part,
        cast(coalesce(sum(accuracy_part), 0) as double) as accuracy_part,
        cast(coalesce(sum(words_part), 0) as double) as words_part
    from moves
    group by protocol, reader, prompt, provenance, model_id, domain, caption_provenance, image_id
),

-- The ratio a / b moves by (da - a / b * db) / b.
errors as (
    select
        j.protocol, j.reader, j.prompt, j.provenance, j.model_id, j.domain, j.caption_provenance, count(*) as n_images,
            clusters_of(sum(p.n), sum(p.n * p.n)) as clusters,
        case when min(j.least_images) >= 2 then parts_error(sum(exact_square(
            100 * (p.score_part - j.score / nullif(j.mean_words, 0) * p.words_part) / nullif(j.mean_words, 0)
        )), count(*)) end as score_se,
        case when min(j.least_images) >= 2 then parts_error(sum(exact_square(
            100 * (p.accuracy_part - j.accuracy / nullif(j.mean_words, 0) * p.words_part) / nullif(j.mean_words, 0)
        )), count(*)) end as accuracy_se
    from joined as j
    inner join parts as p
        on j.origin = 'answers' and p.protocol = j.protocol and p.reader = j.reader and p.prompt = j.prompt
        and p.provenance = j.provenance and p.model_id = j.model_id and p.domain = j.domain
        and p.caption_provenance = j.caption_provenance
    group by j.protocol, j.reader, j.prompt, j.provenance, j.model_id, j.domain, j.caption_provenance
),

-- The same of the differences between a prompt and Short: what an image moves one side is taken from what it moves the other.
-- Where hardly a word was added the ratio has no error that means anything.
gain_parts as (
    select
        j.protocol, j.reader, j.prompt, j.provenance, j.model_id, j.domain, j.caption_provenance, p.image_id,
        sum(case when p.prompt <> 'Short' then p.n else 0 end) as n,
        j.score - j.short_score as score_gain, j.mean_words - j.short_words as words_gain,
        sum(case when p.prompt = 'Short' then -exact(p.score_part) else exact(p.score_part) end) as score_part,
        sum(cast(case when p.prompt = 'Short' then -p.words_part else p.words_part end as decimal(27, 15))) as words_part
    from joined as j
    inner join parts as p
        on j.origin = 'answers' and p.protocol = j.protocol and p.reader = j.reader and p.prompt in ('Short', j.prompt)
        and p.provenance = j.provenance and p.model_id = j.model_id and p.domain = j.domain
        and p.caption_provenance = j.caption_provenance
    where j.prompt <> 'Short' and j.least_images >= 2 and j.least_short_images >= 2 and j.mean_words - j.short_words >= 0.01
    group by
        j.protocol, j.reader, j.prompt, j.provenance, j.model_id, j.domain, j.caption_provenance, p.image_id,
        j.score, j.short_score, j.mean_words, j.short_words
),

gain_errors as (
    select
        protocol, reader, prompt, provenance, model_id, domain, caption_provenance, clusters_of(sum(n), sum(n * n)) as clusters,
        parts_error(sum(exact_square(
            100 * (cast(score_part as double) - score_gain / words_gain * cast(words_part as double)) / words_gain
        )), count(*)) as gain_se
    from gain_parts
    group by protocol, reader, prompt, provenance, model_id, domain, caption_provenance
),

rates as (
    select
        j.protocol, j.reader, j.prompt, j.provenance, j.origin, j.model_id, j.domain, j.caption_provenance, j.model,
        j.score, j.score_low, j.score_high, j.accuracy, j.accuracy_low, j.accuracy_high,
        j.mean_words, j.mean_words_low, j.mean_words_high,
        100 * j.score / nullif(j.mean_words, 0) as score_rate, e.score_se,
        100 * j.accuracy / nullif(j.mean_words, 0) as accuracy_rate, e.accuracy_se, e.n_images, e.clusters,
        100 * (j.score - j.short_score) / nullif(greatest(j.mean_words - j.short_words, 0), 0) as gain_rate,
        g.gain_se, g.clusters as gain_clusters
    from joined as j
    left join errors as e
        on j.origin = 'answers' and e.protocol = j.protocol and e.reader = j.reader and e.prompt = j.prompt
        and e.provenance = j.provenance and e.model_id = j.model_id and e.domain = j.domain and e.caption_provenance = j.caption_provenance
    left join gain_errors as g
        on j.origin = 'answers' and g.protocol = j.protocol and g.reader = j.reader and g.prompt = j.prompt
        and g.provenance = j.provenance and g.model_id = j.model_id and g.domain = j.domain and g.caption_provenance = j.caption_provenance
)

select
    r.protocol, r.reader, r.prompt, r.provenance, r.origin, r.model_id, r.domain, r.caption_provenance, r.model, r.score, r.score_low,
    r.score_high, r.accuracy, r.accuracy_low, r.accuracy_high, r.mean_words, r.mean_words_low, r.mean_words_high,
    r.score_rate as score_per_100_words,
    r.score_se as score_per_100_words_se,
    r.accuracy_rate as accuracy_per_100_words,
    r.accuracy_se as accuracy_per_100_words_se,
    r.gain_rate as gain_per_100_words,
    r.gain_se as gain_per_100_words_se,
    r.n_images, r.clusters, r.gain_clusters
from rates as r;

-- audit: empty_captions_score_little: a captioner without a word cannot have a score above what blind guessing of yes/no questions gives
select model_id, prompt, domain, score, mean_words
from utility_per_word
where mean_words = 0 and score > 75;
