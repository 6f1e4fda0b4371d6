-- what: the places that each captioner takes, among those that answered the same questions, in bootstrap samples of the images, as 95 %
--     intervals of its rank; QA-on-caption, domains of two images at least
-- key: [condition_id, domain, metric]
-- source: "beyond the paper. No provenance: the condition has it, in conditions and captionqa_ranks"
-- compute: bootstrap_ranks
-- columns:
--   condition_id: [bigint, number of the condition]
--   domain: [varchar, "domain, or Overall: the mean of the domains that overall_domains lists"]
--   metric: [varchar, [score, accuracy]]
--   rank_low: [bigint, rank, 1.., 2.5 % quantile of the places in bootstrap samples of images]
--   rank_high: [bigint, rank, 97.5 % quantile of those places]
--   share_first: [double, share, 0..1, share of the bootstrap samples in which the captioner is first]
--   n_images: [bigint, count, images drawn from]
--   n_samples: [bigint, count, "bootstrap samples that hold an answer for the captioner; images are drawn with replacement within each
--       domain"]

with sums as (
    select
        protocol, reader, evidence, prompt, provenance, domain, image_id, condition_id,
        total(n_answers) as n_answers, total(n_correct) as n_correct, total(score_parts) as score_parts
    from captionqa_domain_images
    inner join conditions using (protocol, reader, evidence, captioner, prompt, provenance)
    where evidence = 'caption'
    group by protocol, reader, evidence, prompt, provenance, domain, image_id, condition_id
),

-- Captioners are drawn together when they answered the same questions: of a domain, or of all domains of the mean.
sets as (
    select condition_id, domain as ranked, question_set
    from captionqa_scores
    where origin = 'answers' and level in ('domain', 'overall')
),

drawn as (
    select *, null as n_domains, domain as ranked
    from sums
    union all
    select s.*, n_domains, 'Overall'
    from sums as s
    inner join (select * from overall_domains where origin = 'answers') as o using (protocol, reader, evidence, prompt, provenance, domain)
)

select
    dense_rank() over (order by protocol, reader, prompt, provenance, ranked, question_set) as ranking, domain, image_id, condition_id,
    n_domains, n_answers, n_correct, score_parts, sampling_seed() as seed, bootstrap_samples() as samples
from drawn
inner join sets using (condition_id, ranked)
order by ranking, domain, image_id;
