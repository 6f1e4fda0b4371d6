-- what: the lengths of captions, by captioner, prompt and domain, and their means over captioners and domains
-- key: [provenance, origin, captioner, prompt, domain]
-- source: "CaptionQA Figure 13: means over models and domains, 22, 356, 510 and 650 words for Short, Simple, Long and
--     Taxonomy-Hinted"
-- columns:
--   provenance:
--   origin: [varchar, [captions, published], "captions: counted; published: printed, only the means over all
--       captioners"]
--   captioner: [varchar, "model_id of the captioner; empty for the mean over the captioners, each with the same
--       weight"]
--   prompt:
--   domain: [varchar, "domain, or Overall: the mean of the domains, each with the same weight"]
--   captioner_name:
--   n_models: [bigint, count, 1.., "captioners; of the mean over captioners the captioners that described the same
--       images; null for printed rows, as
--       all counts"]
--   n_domains: [bigint, count, 1.., domains]
--   n_captions: [bigint, count, 1.., captions]
--   mean_words: [double, words, not null, 0.., mean number of words]
--   mean_words_se: [double, words, standard error of mean_words over images; null for printed rows and below two images
--       in a domain]
--   n_images: [bigint, count, images]
--   mean_tokens: [double, tokens, mean number of tokens; null unless a server counted the tokens of every caption]
--   mean_tokens_se: [double, tokens, standard error of mean_tokens over images; null for printed rows and below two
--       images in a domain]
--   n_cut: [bigint, count, captions that ended at the limit of tokens]
-- intervals:
--   mean_words, mean_tokens: t(freedom + 1)

-- The captioners with captions of the same images: the set of images that most captioners have.
with sets as (
    select
        key_of(captioner, prompt, provenance) as captions_id, provenance, prompt, image_set, n_images,
        count(*) over (partition by provenance, prompt, image_set) as n
    from (
        select provenance, captioner, prompt, sum(question_number(image_id)) as image_set, count(*) as n_images
        from merged_caption_sums()
        group by provenance, captioner, prompt
    ) as c
),

alike as (
    select captions_id
    from sets
    qualify image_set = first_value(image_set)
        over (partition by provenance, prompt order by n desc, n_images desc, image_set)
),

-- The contribution of an image to the mean of its captioner, and its weight in the mean.
shares as (
    select
        provenance, captioner, prompt, domain, image_id, n_captions, n_cut,
        ratio_of(n_captions, sum(n_captions) over cell) as weight, ratio_of(words, sum(n_captions) over cell) as words,
        case when sum(n_counted) over cell = sum(n_captions) over cell
            then ratio_of(tokens, sum(n_captions) over cell) end as tokens
    from merged_caption_sums()
    window cell as (partition by provenance, captioner, prompt, domain)
),

-- The same for the mean over the captioners, each with the same weight.
images as (
    select
        provenance, series.captioner, prompt, domain, image_id, sum(n_captions) as n, sum(n_cut) as n_cut,
        sum(exact(weight)) as weight,
        sum(exact_long(words)) as words, case when count(tokens) = count(*) then sum(exact_long(tokens)) end as tokens
    from shares
    cross join lateral (values (shares.captioner), ('')) as series (captioner)
    where series.captioner <> '' or key_of(shares.captioner, prompt, provenance) in (select captions_id from alike)
    group by provenance, series.captioner, prompt, domain, image_id
),

-- The weights of a captioner add up to one.
totals as (
    select
        *, cast(round(sum(weight) over cell) as bigint) as n_models, sum(words) over cell as all_words,
        case when count(tokens) over cell = count(*) over cell then sum(tokens) over cell end as all_tokens
    from images
    window cell as (partition by provenance, captioner, prompt, domain)
),

domains as (
    select
        provenance, captioner, prompt, domain, n_models, sum(n) as n_captions, count(*) as n_images,
        sum(n_cut) as n_cut, clusters_of(sum(n), sum(n * n)) - 1 as freedom,
        ratio_of(max(all_words), n_models) as words, ratio_of(max(all_tokens), n_models) as tokens,
        cluster_error(sum(exact_square(surplus(words, weight, all_words, n_models))), count(*), n_models) / 100
            as words_se,
        cluster_error(sum(exact_square(surplus(tokens, weight, all_tokens, n_models))), count(*), n_models) / 100
            as tokens_se
    from totals
    group by provenance, captioner, prompt, domain, n_models
),

-- An image belongs to one domain (audit one_domain of captionqa_images), so the domains are independent and their
-- variances add.
lengths as (
    select
        provenance, 'captions' as origin, captioner, prompt, series.domain, max(n_models) as n_models,
        count(*) as n_domains, sum(n_captions) as n_captions, sum(n_images) as n_images, sum(n_cut) as n_cut,
        domain_clusters(freedom + 1) - 1 as freedom, ratio_of(sum(exact_mean(words)), count(*)) as mean_words,
        case when count(words_se) = count(*) then sqrt(cast(sum(exact_square(words_se)) as double)) / count(*) end
            as mean_words_se,
        case when count(tokens) = count(*) then ratio_of(sum(exact_mean(tokens)), count(*)) end as mean_tokens,
        case when count(tokens_se) = count(*) then sqrt(cast(sum(exact_square(tokens_se)) as double)) / count(*) end
            as mean_tokens_se
    from domains
    cross join lateral (values (domains.domain), ('Overall')) as series (domain)
    group by provenance, captioner, prompt, series.domain
    union all by name
    select 'published' as provenance, 'published' as origin, '' as captioner, prompt, domain, value as mean_words
    from published
    where benchmark = 'captionqa' and source = 'paper' and item = 'Figure 13' and metric = 'mean_words'
)

select
    provenance, origin, captioner, prompt, domain,
    case when captioner = '' then 'all captioners' else model_name(captioner) end as captioner_name,
    n_models, n_domains, n_captions, mean_words, mean_words_se, n_images, mean_tokens, mean_tokens_se, n_cut, freedom
from lengths;

-- audit: all_captions: every caption is counted once
select s.n_captions, c.n_captions as n_captions_of_lake
from (select sum(n_captions) as n_captions from caption_lengths where captioner <> '' and domain <> 'Overall') as s
cross join (select sum(n_captions) as n_captions from caption_sums) as c
where coalesce(s.n_captions, 0) <> coalesce(c.n_captions, 0);

-- audit: mean_within_captioners: the mean over captioners lies between the least and the greatest of them
select provenance, origin, prompt, domain, mean_words, least, greatest
from (
    select
        *, min(case when captioner <> '' then mean_words end) over cell as least,
        max(case when captioner <> '' then mean_words end) over cell as greatest
    from caption_lengths
    window cell as (partition by provenance, origin, prompt, domain)
) as l
where captioner = '' and (mean_words < least - 0.001 or mean_words > greatest + 0.001);

-- audit: one_domain: an image has one domain; else domains depend on each other and Overall's error is wrong
select provenance, prompt, image_id, count(distinct domain) as domains
from caption_sums
group by provenance, prompt, image_id
having count(distinct domain) > 1;
