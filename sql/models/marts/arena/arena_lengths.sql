-- what: the number of words in the captions that were compared, by captioner, computed and as printed
-- key: [benchmark, origin, provenance, captioner]
-- source: CapArena Figure 2, and Table 8 for CapArena-Auto
-- columns:
--   benchmark: [varchar, [caparena, caparena-auto]]
--   origin: [varchar, [battles, published], "battles: counted; published: printed, of which only means can be had"]
--   provenance:
--   captioner: [varchar, model_id of the captioner; human for a person's captions]
--   captioner_name:
--   n_captions: [bigint, count, 1.., "different captions in battles; null for printed rows, as all but the mean"]
--   n_images: [bigint, count, 1.., items that they describe]
--   mean_words: [double, words, 0.., mean number of words]
--   words_05: [double, words, 0.., "number of words that 5% of the captions do not exceed"]
--   words_25: [double, words, 0.., the same for 25%]
--   words_50: [double, words, 0.., the same for 50%]
--   words_75: [double, words, 0.., the same for 75%]
--   words_95: [double, words, 0.., the same for 95%]
-- intervals:
--   mean_words: t(clusters)

-- One caption is in several battles, but it is one caption.
with captions as (
    select distinct b.benchmark, b.provenance, series.captioner, b.image_id, series.words
    from merged_arena_battles() as b
    cross join lateral (values (b.captioner_a, b.words_a), (b.captioner_b, b.words_b)) as series (captioner, words)
    where series.words is not null
),

images as (
    select benchmark, provenance, captioner, image_id, count(*) as n, sum(words) as words
    from captions
    group by benchmark, provenance, captioner, image_id
),

means as (
    select
        benchmark, provenance, captioner, sum(n) as n_captions, count(*) as n_images,
        ratio_of(sum(words), sum(n)) as mean_words,
        ratio_error(words, n) / 100 as mean_words_se, effective_clusters(n) as clusters
    from images
    group by benchmark, provenance, captioner
),

quantiles as (
    select
        benchmark, provenance, captioner, quantile_of(words, 0.05) as words_05, quantile_of(words, 0.25) as words_25,
        quantile_of(words, 0.5) as words_50, quantile_of(words, 0.75) as words_75, quantile_of(words, 0.95) as words_95
    from captions
    group by benchmark, provenance, captioner
),

rows as (
    select *, 'battles' as origin, null as printed_name
    from means
    inner join quantiles using (benchmark, provenance, captioner)
    union all by name
    select
        'caparena-auto' as benchmark, 'published' as origin, 'published' as provenance, model_id as captioner,
        model as printed_name, value as mean_words
    from published
    where benchmark = 'caparena' and source = 'paper' and item = 'Table 8' and metric = 'length_avg'
)

select
    benchmark, origin, provenance, captioner, model_name(captioner, printed_name) as captioner_name, n_captions,
    n_images, mean_words, mean_words_se, words_05, words_25, words_50, words_75, words_95, clusters
from rows;
