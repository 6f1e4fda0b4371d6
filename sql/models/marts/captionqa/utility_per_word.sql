-- what: "the value of a caption for its length: score and accuracy per hundred words"
-- key: [protocol, reader, prompt, provenance, origin, captioner, domain, caption_provenance]
-- source: CaptionQA section 5.2 and Figure 13
-- columns:
--   condition_id, protocol, reader, prompt, provenance:
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
--   score_per_100_words_se: [double, points, 0.., "standard error by the delta method, clustered by image: score and
--       words of an image go together; null for printed rows and where fewer than two images have answers or captions"]
--   accuracy_per_100_words: [double, points, "accuracy divided by the words, times 100"]
--   gain_per_100_words: [double, points, "score gained over the Short prompt per 100 words added, on the questions that
--       both prompts' captions have answers to; null for Short and where nothing was added"]
--   gain_per_100_words_se: [double, points, "standard error in the same way, paired by image; null where less than 0.01
--       words were added"]
--   n_images: [bigint, count, 1.., images with answers or captions under the prompt; null for printed rows]
-- intervals:
--   score, accuracy: given; as in captionqa_scores; null for printed rows and for a single image
--   mean_words: given; as in caption_lengths; null for printed rows and for a single image
--   score_per_100_words, accuracy_per_100_words: t(clusters)
--   gain_per_100_words: t(gain_clusters)

-- For an accuracy that is not printed (InternVL3 8B in Table 12), the mean over the others is used.
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
        key_of(captioner, prompt, caption_provenance) as captions_id,
        row_number() over (order by protocol, reader, prompt, provenance, origin, captioner, domain, caption_provenance)
            as cell
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
            p.protocol, p.reader, p.prompt, p.provenance, p.origin, l.captioner, l.domain, l.captioner_name,
            l.provenance, l.mean_words
        having count(p.score) = n_published_domains() and count(p.accuracy) = n_published_domains()
    ) as m
),

rates as (
    select *, 100 * score / nullif(mean_words, 0) as score_rate, 100 * accuracy / nullif(mean_words, 0) as accuracy_rate
    from measured
),

-- The effect of an image on the score, the accuracy and the mean number of words of a row. An image with answers but
-- without a caption in the lake affects only the score and the accuracy; an image with a caption but without answers
-- affects only the words.
moves as (
    select
        m.cell, a.image_id, a.n_answers as n,
        exact(100 * (score_of_parts(a.score_parts) - m.score / 100 * a.n_answers) / m.n_answers) as score,
        exact(100 * (a.n_correct - m.accuracy / 100 * a.n_answers) / m.n_answers) as accuracy, exact_long(0) as words
    from measured as m
    inner join answered() as a on a.condition_id = m.condition_id and a.domain = m.domain
    where m.origin = 'answers' and a.level = 'domain'
    union all
    select m.cell, d.image_id, 0, exact(0), exact(0), exact_long((d.words - m.mean_words * d.n_captions) / m.n_captions)
    from measured as m
    inner join merged_caption_sums() as d
        on key_of(d.captioner, d.prompt, d.provenance) = m.captions_id and d.domain = m.domain
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
            sum(exact_square((100 * p.score - r.score_rate * p.words) / nullif(r.mean_words, 0))), count(*)) end
                as score_se,
        case when r.least_images >= 2 then parts_error(
            sum(exact_square((100 * p.accuracy - r.accuracy_rate * p.words) / nullif(r.mean_words, 0))), count(*)) end
                as accuracy_se
    from rates as r
    inner join parts as p using (cell)
    group by r.cell, r.least_images
),

-- Each prompt, with the values of the prompt Short.
beside as (
    select
        b.cell, a.condition_id as a_id, b.condition_id as b_id, a.captions_id as a_captions,
        b.captions_id as b_captions, b.origin,
        b.domain, b.score - a.score as printed_gain, b.mean_words - a.mean_words as printed_words
    from measured as b
    inner join measured as a
        on a.condition_id = condition_of(b.protocol, b.reader, 'caption', b.captioner, 'Short', b.provenance)
        and a.domain = b.domain
    where b.prompt <> 'Short' and a.origin = b.origin and a.caption_provenance = b.caption_provenance
),

sides as (
    select distinct a_id, b_id from beside where origin = 'answers'
),

images as (
    select * from answered() where level = 'domain' and evidence = 'caption'
),

captions_of as (
    select key_of(captioner, prompt, provenance) as captions_id, domain, image_id, words, n_captions
    from merged_caption_sums()
),

both_prompts as (
    select
        b.cell, p.n_a, p.n_b, p.score_a, p.score_b, v.words as words_a, v.n_captions as captions_a, w.words as words_b,
        w.n_captions as captions_b,
        share_part(p.score_b, p.n_b, sum(p.score_b) over every, sum(p.n_b) over every)
            - share_part(p.score_a, p.n_a, sum(p.score_a) over every, sum(p.n_a) over every) as score_part,
        (surplus(w.words, w.n_captions, sum(w.words) over every, sum(w.n_captions) over every) / sum(w.n_captions)
            over every)
            - surplus(v.words, v.n_captions, sum(v.words) over every, sum(v.n_captions) over every) / sum(v.n_captions)
                over every as words_part
    from beside as b
    inner join paired('sides', 'images') as p on p.a_id = b.a_id and p.b_id = b.b_id and p.domain = b.domain
    inner join captions_of as v on v.captions_id = b.a_captions and v.image_id = p.image_id
    inner join captions_of as w on w.captions_id = b.b_captions and w.image_id = p.image_id
    where b.origin = 'answers'
    window every as (partition by b.cell)
),

gains as (
    select
        cell, count(*) as n_paired, clusters_of(sum(n_a + n_b), sum((n_a + n_b) * (n_a + n_b))) as gain_clusters,
        score_of_parts(percent_of(sum(score_b), sum(n_b)) - percent_of(sum(score_a), sum(n_a))) as gain,
        ratio_of(sum(words_b), sum(captions_b)) - ratio_of(sum(words_a), sum(captions_a)) as added
    from both_prompts
    group by cell
    union all by name
    select cell, printed_gain as gain, printed_words as added
    from beside
    where origin <> 'answers'
),

-- If hardly a word was added, the error of the gain per word means nothing.
gain_rates as (
    select *, 100 * gain / nullif(greatest(added, 0), 0) as gain_rate
    from gains
),

gain_errors as (
    select
        cell, parts_error(sum(exact_square((100 * score_of_parts(score_part) - gain_rate * words_part) / added)),
            count(*)) as gain_se
    from both_prompts
    inner join gain_rates using (cell)
    where n_paired >= 2 and added >= 0.01
    group by cell
)

select
    condition_of(protocol, reader, 'caption', captioner, prompt, provenance) as condition_id, protocol, reader, prompt,
    provenance, origin, captioner, domain, caption_provenance, captioner_name, score, score_low, score_high,
    accuracy, accuracy_low, accuracy_high, mean_words, mean_words_low, mean_words_high,
    score_rate as score_per_100_words,
    score_se as score_per_100_words_se, accuracy_rate as accuracy_per_100_words,
    accuracy_se as accuracy_per_100_words_se,
    gain_rate as gain_per_100_words, gain_se as gain_per_100_words_se, n_images, clusters, gain_clusters
from rates
left join errors using (cell)
left join gain_rates using (cell)
left join gain_errors using (cell);

-- audit: empty_captions_score_little: without a word, a captioner scores no more than blind guesses of yes/no questions
select captioner, prompt, domain, score, mean_words
from utility_per_word
where mean_words = 0 and score > 75;
