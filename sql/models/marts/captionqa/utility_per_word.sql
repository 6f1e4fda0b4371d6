-- what: "what a caption is worth for its length: score and accuracy per hundred words"
-- key: [protocol, reader, prompt, provenance, origin, captioner, domain, caption_provenance]
-- source: CaptionQA section 5.2 and Figure 13
-- columns:
--   protocol, reader, prompt, provenance:
--   origin: [varchar, "base table that the figures come from: answers or published"]
--   captioner: [varchar, "model_id of the captioner; empty for the means over all captioners, which
--       is all that can be had of printed lengths"]
--   domain: [varchar, "domain; Overall, the mean of the four domains, for the means over all captioners"]
--   caption_provenance: [varchar, "whether the captions that were counted are published, measured or simulated"]
--   captioner_name: [varchar, name of the model to show to people]
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
--   score, accuracy: given; as in captionqa_scores; null for printed rows and for a single image
--   mean_words: given; as in caption_lengths; null for printed rows and for a single image
--   score_per_100_words, accuracy_per_100_words: t(clusters)
--   gain_per_100_words: t(gain_clusters)

-- Of an accuracy that is not printed (InternVL3 8B in Table 12) the mean over the others stands in.
with printed as (
    select
        protocol, reader, prompt, provenance, origin, domain,
        ratio_of(sum(exact(score)), count(score)) as score, ratio_of(sum(exact(accuracy)), count(accuracy)) as accuracy
    from captionqa_scores
    where level = 'domain' and evidence = 'caption' and origin = 'published' and is_published_domain(domain)
    group by protocol, reader, prompt, provenance, origin, domain
),

-- A number for each row, which names it in what follows.
measured as (
    select
        *, condition_of(protocol, reader, 'caption', captioner, prompt, provenance) as condition_id,
        condition_of('', '', '', captioner, prompt, caption_provenance) as captions_id,
        row_number() over (order by protocol, reader, prompt, provenance, origin, captioner, domain, caption_provenance) as cell
    from (
        select
            r.protocol, r.reader, r.prompt, r.provenance, r.origin, l.captioner, r.domain, l.captioner_name,
            r.score, r.score_low, r.score_high, r.accuracy, r.accuracy_low, r.accuracy_high, r.n_answers,
            l.provenance as caption_provenance, l.mean_words, l.mean_words_low, l.mean_words_high, l.n_captions,
            least(r.n_images, l.n_images) as least_images
        from captionqa_scores as r
        inner join caption_lengths as l on l.captioner = r.captioner and l.prompt = r.prompt and l.domain = r.domain
        where r.level = 'domain' and r.evidence = 'caption' and l.captioner <> '' and l.domain <> 'Overall'
        union all by name
        select
            p.protocol, p.reader, p.prompt, p.provenance, p.origin, l.captioner, l.domain, l.captioner_name,
            domain_mean(p.score, n_published_domains()) as score,
            domain_mean(p.accuracy, n_published_domains()) as accuracy, l.provenance as caption_provenance, l.mean_words
        from printed as p
        inner join caption_lengths as l on l.prompt = p.prompt
        where l.origin = 'published' and l.captioner = '' and l.domain = 'Overall'
        group by
            p.protocol, p.reader, p.prompt, p.provenance, p.origin, l.captioner, l.domain, l.captioner_name, l.provenance, l.mean_words
        having count(p.score) = n_published_domains() and count(p.accuracy) = n_published_domains()
    ) as m
),

-- Beside each prompt, what there is of Short. Where hardly a word was added the gain has no error that means anything.
beside as (
    select
        *, case when prompt <> 'Short' then max(case prompt when 'Short' then score end) over same end as short_score,
        mean_words - max(case prompt when 'Short' then mean_words end) over same as words_gain,
        case when least_images >= 2 and max(case prompt when 'Short' then least_images end) over same >= 2 and words_gain >= 0.01
            then max(case prompt when 'Short' then cell end) over same end as short_cell
    from measured
    window same as (partition by protocol, reader, provenance, origin, captioner, domain, caption_provenance)
),

rates as (
    select
        *, 100 * score / nullif(mean_words, 0) as score_rate, 100 * accuracy / nullif(mean_words, 0) as accuracy_rate,
        100 * (score - short_score) / nullif(greatest(words_gain, 0), 0) as gain_rate
    from beside
),

-- What an image moves the score, the accuracy and the mean of the words of a row. An image that was answered for but
-- has no caption in the lake, or the other way round, moves only the one that it is in.
moves as (
    select
        m.cell, a.image_id, a.n_answers as n,
        exact(100 * (score_of_parts(a.score_parts) - m.score / 100 * a.n_answers) / m.n_answers) as score,
        exact(100 * (a.n_correct - m.accuracy / 100 * a.n_answers) / m.n_answers) as accuracy, exact_long(0) as words
    from measured as m
    inner join merged_captionqa_images() as a on a.condition_id = m.condition_id and a.domain = m.domain
    where m.origin = 'answers' and a.level = 'domain'
    union all
    select m.cell, d.image_id, 0, exact(0), exact(0), exact_long((d.words - m.mean_words * d.n_captions) / m.n_captions)
    from measured as m
    inner join merged_caption_sums() as d
        on condition_of('', '', '', d.captioner, d.prompt, d.provenance) = m.captions_id and d.domain = m.domain
    where m.origin = 'answers'
),

parts as (
    select
        cell, image_id, sum(n) as n, cast(sum(score) as double) as score, cast(sum(accuracy) as double) as accuracy,
        cast(sum(words) as double) as words
    from moves
    group by cell, image_id
),

-- The ratio a / b moves by (da - a / b * db) / b.
errors as (
    select
        r.cell, count(*) as n_images, clusters_of(sum(p.n), sum(p.n * p.n)) as clusters,
        case when r.least_images >= 2 then parts_error(
            sum(exact_square((100 * p.score - r.score_rate * p.words) / nullif(r.mean_words, 0))), count(*)) end as score_se,
        case when r.least_images >= 2 then parts_error(
            sum(exact_square((100 * p.accuracy - r.accuracy_rate * p.words) / nullif(r.mean_words, 0))), count(*)) end as accuracy_se
    from rates as r
    inner join parts as p using (cell)
    group by r.cell, r.least_images
),

-- Both prompts are paired on the same images: what an image moves Short is taken from what it moves the other.
gain_parts as (
    select
        r.cell, p.image_id, sum(case when p.cell = r.cell then p.n else 0 end) as n,
        exact_long(sum(case when p.cell = r.cell then 1 else -1 end * exact_long((100 * p.score - r.gain_rate * p.words) / r.words_gain)))
            as part
    from rates as r
    inner join parts as p on p.cell in (r.cell, r.short_cell)
    where r.short_cell is not null
    group by r.cell, p.image_id
),

gain_errors as (
    select cell, clusters_of(sum(n), sum(n * n)) as gain_clusters, parts_error(sum(exact_square(cast(part as double))), count(*)) as gain_se
    from gain_parts
    group by cell
)

select
    protocol, reader, prompt, provenance, origin, captioner, domain, caption_provenance, captioner_name, score, score_low, score_high,
    accuracy, accuracy_low, accuracy_high, mean_words, mean_words_low, mean_words_high, score_rate as score_per_100_words,
    score_se as score_per_100_words_se, accuracy_rate as accuracy_per_100_words, accuracy_se as accuracy_per_100_words_se,
    gain_rate as gain_per_100_words, gain_se as gain_per_100_words_se, n_images, clusters, gain_clusters
from rates
left join errors using (cell)
left join gain_errors using (cell);

-- audit: empty_captions_score_little: a captioner without a word cannot have a score above what blind guessing of yes/no questions gives
select captioner, prompt, domain, score, mean_words
from utility_per_word
where mean_words = 0 and score > 75;
