-- model: captionqa_category_summary
-- what: "every category over all captioners: mean, spread, extremes, both cannot rates and number of questions"
-- grain: one row per protocol, reader, prompt, provenance, basis, domain and category
-- key: [protocol, reader, prompt, provenance, basis, domain, category]
-- inputs: [captionqa_image_sums, captionqa_categories, published]
-- source: CaptionQA Table 9; the public leaderboard gives the same for its captioners
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the model that answered]
--   prompt: [varchar, caption prompt]
--   provenance: [varchar, "published, measured or simulated"]
--   basis: [varchar, [answers, leaderboard, Table 9], "answers: computed; leaderboard: computed from the scores of the public leaderboard;
--       Table 9: as printed"]
--   domain: [varchar, domain]
--   category: [varchar, first taxonomy level]
--   n_models: [bigint, count, 1.., captioners; null for printed rows]
--   mean_score: [double, percent, 0..105, mean over captioners of their score in the category]
--   mean_score_se: [double, percent, "standard error of mean_score, clustered by image; only on the basis answers, null for a single
--       image"]
--   sd: [double, points, 0.., standard deviation of the score over captioners (n - 1); null for a single captioner]
--   min_score: [double, percent, 0..105, lowest score of a captioner]
--   max_score: [double, percent, 0..105, highest score of a captioner]
--   worst_model: [varchar, "model_id of the lowest score, the first by name of several; null for printed rows"]
--   best_model: [varchar, "model_id of the highest score, the first by name of several; null for printed rows"]
--   cannot_rate_offered: [double, percent, 0..100, "mean over captioners of the share of the answers to questions that offer the cannot
--       option which chose it, the rate of Tables 11 to 26; only on the basis answers"]
--   cannot_rate_offered_se: [double, percent, "standard error of cannot_rate_offered, clustered by image; only on the basis answers, null
--       where fewer than two images have such a question"]
--   n_questions: [bigint, count, questions of the category; null on the basis leaderboard]
--   n_images: [bigint, count, images of the category; only on the basis answers]
--   cannot_rate: [double, percent, 0..100, "mean over captioners of the share of all answers that chose the cannot option, the rate that
--       Table 9 prints; null on the basis leaderboard"]
--   cannot_rate_se: [double, percent, "standard error of cannot_rate, clustered by image; only on the basis answers, null for a single
--       image"]
-- intervals:
--   mean_score, cannot_rate: share(n_questions, clusters)
--   cannot_rate_offered: share(n_offered, offered_clusters); effective images with such a question - 1 degrees of freedom

with sums as (
    select protocol, reader, prompt, provenance, model_id, domain, category, image_id, n_questions, n_answers, score_parts, n_cannot,
        n_offered
    from captionqa_image_sums
    where evidence = 'caption' and category <> ''
),

scores as (
    select
        protocol, reader, prompt, provenance, case when origin = 'answers' then 'answers' else 'leaderboard' end as basis,
        domain, category, model_id, score, cannot_rate, cannot_rate_offered
    from captionqa_categories
    where evidence = 'caption' and category <> ''
),

printed as (
    select
        domain, category,
        max(case when metric = 'mean_score' then value end) as mean_score,
        max(case when metric = 'std' then value end) as sd,
        max(case when metric = 'min' then value end) as min_score,
        max(case when metric = 'max' then value end) as max_score,
        max(case when metric = 'cannot_rate' then value end) as cannot_rate,
        max(case when metric = 'questions' then value end) as n_questions
    from published
    where benchmark = 'captionqa' and source = 'paper' and item = 'Table 9'
    group by domain, category
),

over_models as (
    select
        protocol, reader, prompt, provenance, basis, domain, category,
        count(*) as n_models,
        sum(exact(score)) as total,
        sum(exact_square(score)) as squares,
        min(score) as min_score,
        max(score) as max_score,
        ratio_of(sum(exact(cannot_rate)), count(cannot_rate)) as cannot_rate,
        count(cannot_rate_offered) as n_offered_models,
        ratio_of(sum(exact(cannot_rate_offered)), count(cannot_rate_offered)) as cannot_rate_offered
    from scores
    group by protocol, reader, prompt, provenance, basis, domain, category
),

extremes as (
    select
        s.protocol, s.reader, s.prompt, s.provenance, s.basis, s.domain, s.category,
        min(case when s.score = m.min_score then s.model_id end) as worst_model,
        min(case when s.score = m.max_score then s.model_id end) as best_model
    from scores as s
    inner join over_models as m
        on m.protocol = s.protocol and m.reader = s.reader and m.prompt = s.prompt and m.provenance = s.provenance
        and m.basis = s.basis and m.domain = s.domain and m.category = s.category
    group by s.protocol, s.reader, s.prompt, s.provenance, s.basis, s.domain, s.category
),

model_totals as (
    select
        protocol, reader, prompt, provenance, model_id, domain, category,
        sum(n_answers) as n_answers, score_of_parts(sum(score_parts)) as score, sum(n_cannot) as n_cannot, sum(n_offered) as n_offered
    from sums
    group by protocol, reader, prompt, provenance, model_id, domain, category
),

-- What an image has more or less than the captioners' means predict, each captioner with the same weight.
image_parts as (
    select
        s.protocol, s.reader, s.prompt, s.provenance, s.domain, s.category, s.image_id,
        sum(exact(share_part(score_of_parts(s.score_parts), s.n_answers, t.score, t.n_answers))) as score_part,
        sum(exact(share_part(s.n_cannot, s.n_answers, t.n_cannot, t.n_answers))) as cannot_part,
        sum(exact(share_part(s.n_cannot, s.n_offered, t.n_cannot, t.n_offered))) as offered_part,
        max(s.n_offered) as n_offered,
        max(s.n_questions) as n_questions
    from sums as s
    inner join model_totals as t
        on t.protocol = s.protocol and t.reader = s.reader and t.prompt = s.prompt and t.provenance = s.provenance
        and t.model_id = s.model_id and t.domain = s.domain and t.category = s.category
    group by s.protocol, s.reader, s.prompt, s.provenance, s.domain, s.category, s.image_id
),

image_totals as (
    select
        protocol, reader, prompt, provenance, domain, category,
        count(*) as n_images, sum(n_questions) as n_questions,
        sum(case when n_offered > 0 then 1 else 0 end) as n_offered_images, sum(n_offered) as n_offered,
        clusters_of(sum(n_questions), sum(n_questions * n_questions)) as clusters,
        clusters_of(sum(n_offered), sum(n_offered * n_offered)) as offered_clusters,
        sum(exact_square(cast(score_part as double))) as score_squares,
        sum(exact_square(cast(cannot_part as double))) as cannot_squares,
        sum(exact_square(cast(offered_part as double))) as offered_squares
    from image_parts
    group by protocol, reader, prompt, provenance, domain, category
),

all_bases as (
    select
        m.protocol, m.reader, m.prompt, m.provenance, m.basis, m.domain, m.category, m.n_models,
        ratio_of(m.total, m.n_models) as mean_score,
        parts_error(i.score_squares, i.n_images) / m.n_models as mean_score_se,
        deviation_of(m.total, m.squares, m.n_models) as sd,
        m.min_score, m.max_score, e.worst_model, e.best_model,
        m.cannot_rate, parts_error(i.cannot_squares, i.n_images) / m.n_models as cannot_rate_se,
        m.cannot_rate_offered, parts_error(i.offered_squares, i.n_offered_images) / nullif(m.n_offered_models, 0) as cannot_rate_offered_se,
        i.n_questions, i.n_images, least(i.n_offered, i.n_questions) as n_offered, i.clusters, i.offered_clusters
    from over_models as m
    inner join extremes as e
        on e.protocol = m.protocol and e.reader = m.reader and e.prompt = m.prompt and e.provenance = m.provenance
        and e.basis = m.basis and e.domain = m.domain and e.category = m.category
    left join image_totals as i
        on m.basis = 'answers' and i.protocol = m.protocol and i.reader = m.reader and i.prompt = m.prompt
        and i.provenance = m.provenance and i.domain = m.domain and i.category = m.category
    union all
    select
        'captionqa/upstream' as protocol, paper_reader() as reader, 'Simple' as prompt, 'published' as provenance, 'Table 9' as basis,
        domain, category, null as n_models, mean_score, null as mean_score_se, sd, min_score, max_score,
        null as worst_model, null as best_model, cannot_rate, null as cannot_rate_se,
        null as cannot_rate_offered, null as cannot_rate_offered_se,
        n_questions, null as n_images, null as n_offered, null as clusters, null as offered_clusters
    from printed
)

select
    b.protocol, b.reader, b.prompt, b.provenance, b.basis, b.domain, b.category, b.n_models, b.mean_score, b.mean_score_se, b.sd,
    b.min_score, b.max_score, b.worst_model, b.best_model, b.cannot_rate_offered, b.cannot_rate_offered_se, b.n_questions, b.n_images,
    b.cannot_rate, b.cannot_rate_se, b.clusters, b.n_offered, b.offered_clusters
from all_bases as b;

-- audit: mean_within_range: a mean lies between the lowest and the highest score; printed ones are the matter of published_audit
select basis, prompt, domain, category, min_score, mean_score, max_score
from captionqa_category_summary
where basis <> 'Table 9' and (mean_score < min_score - 0.000001 or mean_score > max_score + 0.000001);

-- audit: spread_within_range: a standard deviation cannot exceed what the range allows: (max - min) / 2 times the root of n / (n - 1)
select basis, prompt, domain, category, sd, min_score, max_score, n_models
from captionqa_category_summary
where n_models >= 2 and sd > (max_score - min_score) / 2 * sqrt(n_models / (n_models - 1.0)) + 0.000001;

-- audit: all_within_offered: a share of all questions cannot pass that of the questions that offer the option
select basis, prompt, domain, category, cannot_rate, cannot_rate_offered
from captionqa_category_summary
where cannot_rate > cannot_rate_offered + 0.000001;
