-- what: places of the captioners by score and accuracy, overall and per domain, among those that answered the same questions, with
--     intervals by image bootstrap; QA-on-caption only
-- key: [protocol, reader, prompt, provenance, origin, domain, metric, captioner]
-- source: "CaptionQA Tables 3 and 11 to 26: their order; the intervals are beyond the paper"
-- columns:
--   condition_id, protocol, reader, prompt, provenance:
--   origin: [varchar, [answers, published], "base table that the figures come from: answers or published"]
--   domain: [varchar, "domain, or Overall: the mean of the domains of an overall score"]
--   metric: [varchar, [score, accuracy]]
--   captioner, captioner_name, size, model_type:
--   value: [double, percent, not null, 0..105, what is ranked]
--   value_se: [double, percent, "standard error of value, clustered by image: the domains share no images; null for printed rows and for a
--       single image"]
--   question_set: [bigint, tells sets of questions apart; null for printed rows]
--   rank: [bigint, rank, 1.., "place among the n_models captioners with the same set of questions, 1 the best; equal values share the
--       better place"]
--   rank_low: [bigint, rank, 1.., 2.5% quantile of the places in bootstrap samples of images; null for printed rows and for a single
--       image]
--   rank_high: [bigint, rank, 97.5% quantile of those places]
--   share_first: [double, share, 0..1, share of the bootstrap samples in which the captioner is first]
--   n_models: [bigint, count, captioners ranked together]
--   n_questions: [bigint, count, questions answered; null for printed rows]
--   n_images: [bigint, count, images drawn from; null for printed rows]
--   n_samples: [bigint, count, bootstrap samples; images are drawn with replacement within each domain]
-- intervals:
--   value: share(n_questions, clusters); effective images - 1 degrees of freedom, over domains Satterthwaite's

select
    s.condition_id, protocol, reader, prompt, provenance, origin, s.domain, v.metric, captioner, captioner_name, size, model_type, v.value,
    v.value_se, question_set,
    rank() over same_questions as rank,
    b.rank_low, b.rank_high, b.share_first,
    count(*) over (partition by protocol, reader, prompt, provenance, origin, s.domain, v.metric, question_set) as n_models,
    b.n_images, b.n_samples, n_questions, effective_images as clusters
from captionqa_scores as s
cross join lateral (values ('score', s.score, s.score_se), ('accuracy', s.accuracy, s.accuracy_se)) as v (metric, value, value_se)
left join rank_bootstraps as b
    on s.origin = 'answers' and b.condition_id = s.condition_id and b.domain = s.domain and b.metric = v.metric
where s.evidence = 'caption' and s.level in ('overall', 'domain') and v.value is not null
window same_questions as (
    partition by protocol, reader, prompt, provenance, origin, s.domain, v.metric, question_set order by exact(v.value) desc
);

-- audit: someone_is_first: every ranking has a first place
select protocol, reader, prompt, provenance, origin, domain, metric, question_set, min(rank) as best
from captionqa_ranks
group by protocol, reader, prompt, provenance, origin, domain, metric, question_set
having min(rank) <> 1;

-- audit: interval_in_order: the interval of a rank ends within the captioners that are ranked, that of a value holds it
select captioner, prompt, domain, metric, value, value_low, value_high, rank_low, rank_high, n_models
from captionqa_ranks
where rank_low > rank_high or rank_high > n_models or value not between value_low and value_high or value_low = value_high;
