-- what: the places that each captioner takes, among those that answered the same questions, in bootstrap samples of the images, as 95%
--     intervals of its rank; QA-on-caption, domains of two images at least
-- key: [condition_id, domain, metric]
-- source: "beyond the paper. No provenance: the condition has it, in conditions and captionqa_ranks"
-- compute: bootstrap_ranks
-- columns:
--   condition_id:
--   domain: [varchar, "domain, or Overall: the mean of the domains of an overall score"]
--   metric: [varchar, [score, accuracy]]
--   rank_low: [bigint, rank, 1.., 2.5% quantile of the places in bootstrap samples of images]
--   rank_high: [bigint, rank, 97.5% quantile of those places]
--   share_first: [double, share, 0..1, share of the bootstrap samples in which the captioner is first]
--   n_images: [bigint, count, images drawn from]
--   n_samples: [bigint, count, "bootstrap samples that hold an answer for the captioner; images are drawn with replacement within each
--       domain"]

-- Captioners are drawn together when they answered the same questions: of a domain, or of all domains of the mean.
with sets as (
    select condition_id, domain as ranked, question_set
    from captionqa_scores
    where origin = 'answers' and level in ('domain', 'overall')
),

drawn as (
    select i.*, series.ranked, series.n_domains
    from merged_captionqa_images() as i
    inner join conditions as c using (condition_id)
    cross join lateral (values
        (i.domain, null), (case when is_published_domain(i.domain) or not c.published_domains then 'Overall' end, c.n_domains)
    ) as series (ranked, n_domains)
    where i.level = 'domain' and i.evidence = 'caption'
)

select
    dense_rank() over (order by protocol, reader, prompt, provenance, ranked, s.question_set) as ranking, domain, image_id, condition_id,
    n_domains, cast(d.n_answers as double) as n_answers, cast(d.n_correct as double) as n_correct,
    cast(d.score_parts as double) as score_parts, sampling_seed() as seed, bootstrap_samples() as samples
from drawn as d
inner join sets as s using (condition_id, ranked)
order by ranking, domain, image_id;
