-- model: caption_lengths
-- what: how long captions are, by captioner, prompt and domain, and their means over captioners and domains
-- grain: one row per provenance, origin, captioner (all captioners included), prompt and domain (Overall included)
-- key: [provenance, origin, model_id, prompt, domain]
-- inputs: [captions, stale_captions, published, models]
-- source: "CaptionQA Figure 13: means over models and domains, 22, 356, 510 and 650 words for Short, Simple, Long and Taxonomy-Hinted"
-- columns:
--   provenance: [varchar, "published, measured or simulated"]
--   origin: [varchar, [captions, published], "captions: counted; published: printed, of which only the means over all captioners can be
--       had"]
--   model_id: [varchar, "captioner; empty for the mean over the captioners, each with the same weight"]
--   prompt: [varchar, caption prompt]
--   domain: [varchar, "domain, or Overall: the mean of the domains, each with the same weight"]
--   model: [varchar, name of the captioner to show to people]
--   n_models: [bigint, count, 1.., "captioners; null for printed rows, as all counts"]
--   n_domains: [bigint, count, 1.., domains]
--   n_captions: [bigint, count, 1.., captions]
--   mean_words: [double, words, not null, 0.., mean number of words]
--   mean_words_se: [double, words, standard error of mean_words over images; null for printed rows and below two images in a domain]
--   n_images: [bigint, count, images]
--   mean_tokens: [double, tokens, mean number of tokens; null unless a server counted those of every caption]
--   mean_tokens_se: [double, tokens, standard error of mean_tokens over images; null for printed rows and below two images in a domain]
--   n_cut: [bigint, count, captions that ended at the limit of tokens]
-- intervals:
--   mean_words, mean_tokens: t(freedom + 1); effective images - domains degrees of freedom

with texts as (
    select provenance, captioner as model_id, prompt, domain, image_id, words, tokens, finish_reason
    from counted_captions()
),

printed as (
    select prompt, domain, value
    from published
    where benchmark = 'captionqa' and source = 'paper' and item = 'Figure 13' and metric = 'mean_words'
),

registry as (
    select model_id, name
    from models
),

cells as (
    select
        provenance, model_id, prompt, domain,
        count(*) as n_captions,
        sum(words) as words,
        case when count(tokens) = count(*) then sum(tokens) end as tokens,
        sum(case when finish_reason = 'length' then 1 else 0 end) as n_cut
    from texts
    group by provenance, model_id, prompt, domain
),

-- What an image adds to the mean over the captioners of a cell, each captioner having the same weight.
loads as (
    select
        t.provenance, series.model_id, t.prompt, t.domain, t.image_id,
        sum(cast(ratio_of(t.words, c.n_captions) as decimal(27, 15))) as load,
        sum(cast(ratio_of(t.tokens, c.n_captions) as decimal(27, 15))) as token_load,
        sum(exact(1.0 / c.n_captions)) as weight,
        count(*) as n
    from texts as t
    inner join cells as c
        on c.provenance = t.provenance and c.model_id = t.model_id and c.prompt = t.prompt and c.domain = t.domain
    cross join lateral (values (t.model_id), ('')) as series (model_id)
    group by t.provenance, series.model_id, t.prompt, t.domain, t.image_id
),

sums as (
    select
        provenance, series.model_id, prompt, domain,
        count(*) as n_models,
        sum(n_captions) as n_captions,
        sum(exact_mean(ratio_of(words, n_captions))) as word_means,
        case when count(tokens) = count(*) then sum(exact_mean(ratio_of(tokens, n_captions))) end as token_means,
        sum(n_cut) as n_cut
    from cells as c
    cross join lateral (values (c.model_id), ('')) as series (model_id)
    group by provenance, series.model_id, prompt, domain
),

squares as (
    select
        l.provenance, l.model_id, l.prompt, l.domain,
        count(*) as n_images,
        clusters_of(sum(l.n), sum(l.n * l.n)) - 1 as freedom,
        sum(exact_square(surplus(l.load, l.weight, s.word_means, s.n_models))) as squares,
        sum(exact_square(surplus(l.token_load, l.weight, s.token_means, s.n_models))) as token_squares
    from loads as l
    inner join sums as s
        on s.provenance = l.provenance and s.model_id = l.model_id and s.prompt = l.prompt and s.domain = l.domain
    group by l.provenance, l.model_id, l.prompt, l.domain
),

domains as (
    select
        s.provenance, s.model_id, s.prompt, s.domain, s.n_models, 1 as n_domains, s.n_captions,
        ratio_of(s.word_means, s.n_models) as mean_words,
        cluster_error(q.squares, q.n_images, s.n_models) / 100 as mean_words_se,
        q.n_images, q.freedom,
        ratio_of(s.token_means, s.n_models) as mean_tokens,
        cluster_error(q.token_squares, q.n_images, s.n_models) / 100 as mean_tokens_se,
        s.n_cut
    from sums as s
    inner join squares as q
        on q.provenance = s.provenance and q.model_id = s.model_id and q.prompt = s.prompt and q.domain = s.domain
),

-- An image belongs to one domain (audit one_domain), so that the domains are independent and their variances are added.
named as (
    select
        provenance, model_id, prompt, domain, n_models, n_domains, n_captions, mean_words, mean_words_se, n_images, freedom,
        mean_tokens, mean_tokens_se, n_cut
    from domains
    union all
    select
        provenance, model_id, prompt, 'Overall' as domain,
        max(n_models) as n_models,
        count(*) as n_domains,
        sum(n_captions) as n_captions,
        ratio_of(sum(exact_mean(mean_words)), count(*)) as mean_words,
        case when count(mean_words_se) = count(*) then sqrt(cast(sum(exact_square(mean_words_se)) as double))
            / count(*) end as mean_words_se,
        sum(n_images) as n_images, cast(sum(exact_mean(freedom)) as double) as freedom,
        case when count(mean_tokens) = count(*) then ratio_of(sum(exact_mean(mean_tokens)), count(*)) end as mean_tokens,
        case when count(mean_tokens_se) = count(*) then sqrt(cast(sum(exact_square(mean_tokens_se)) as double))
            / count(*) end as mean_tokens_se,
        sum(n_cut) as n_cut
    from domains
    group by provenance, model_id, prompt
),

both_origins as (
    select
        provenance, 'captions' as origin, model_id, prompt, domain, n_models, n_domains, n_captions, mean_words, mean_words_se, n_images,
            freedom,
        mean_tokens, mean_tokens_se, n_cut
    from named
    union all
    select
        'published' as provenance, 'published' as origin, '' as model_id, prompt, domain,
        null as n_models, null as n_domains, null as n_captions,
        value as mean_words,
        null as mean_words_se, null as n_images, null as freedom, null as mean_tokens, null as mean_tokens_se, null as n_cut
    from printed
)

select
    n.provenance, n.origin, n.model_id, n.prompt, n.domain,
    case when n.model_id = '' then 'all captioners' else coalesce(r.name, n.model_id) end as model,
    n.n_models, n.n_domains, n.n_captions, n.mean_words, n.mean_words_se, n.n_images, n.mean_tokens, n.mean_tokens_se, n.n_cut, n.freedom
from both_origins as n
left join registry as r on r.model_id = n.model_id;

-- audit: all_captions: every caption is counted once
select s.n_captions, c.n_captions as n_captions_of_lake
from (select sum(n_captions) as n_captions from caption_lengths where model_id <> '' and domain <> 'Overall') as s
cross join (select count(*) as n_captions from counted_captions()) as c
where coalesce(s.n_captions, 0) <> c.n_captions;

-- audit: mean_within_captioners: the mean over captioners lies between the least and the greatest of them
select a.provenance, a.origin, a.prompt, a.domain, a.mean_words, b.least, b.greatest
from caption_lengths as a
inner join (
    select provenance, origin, prompt, domain, min(mean_words) as least, max(mean_words) as greatest
    from caption_lengths
    where model_id <> ''
    group by provenance, origin, prompt, domain
) as b on b.provenance = a.provenance and b.origin = a.origin and b.prompt = a.prompt and b.domain = a.domain
where a.model_id = '' and (a.mean_words < b.least - 0.001 or a.mean_words > b.greatest + 0.001);

-- audit: one_domain: an image belongs to one domain, or the domains would not be independent and the error of Overall be wrong
select provenance, prompt, image_id, count(distinct domain) as domains
from counted_captions()
group by provenance, prompt, image_id
having count(distinct domain) > 1;
