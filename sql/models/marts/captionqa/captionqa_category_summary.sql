-- what: "every category over the captioners that answered the same questions: mean, spread, extremes, both cannot rates
--     and number of questions"
-- key: [protocol, reader, prompt, provenance, basis, domain, category]
-- source: CaptionQA Table 9 and section 14.5; the public leaderboard gives the same for its captioners
-- columns:
--   protocol, reader, prompt, provenance:
--   basis: [varchar, [answers, leaderboard, Table 9, Section 14.5], "answers: computed; leaderboard: computed from the
--       scores of the public leaderboard; Table 9: as printed; Section 14.5: stated cannot rates under Short above 70
--       percent"]
--   domain:
--   category: [varchar, first taxonomy level]
--   n_models: [bigint, count, 1.., "captioners of the domain's board that is first in boards; null for printed
--       rows"]
--   mean_score: [double, percent, 0..105, mean over captioners of their score in the category]
--   sd: [double, points, 0.., standard deviation of the score over captioners (n - 1); null for a single captioner]
--   min_score: [double, percent, 0..105, lowest score of a captioner]
--   max_score: [double, percent, 0..105, highest score of a captioner]
--   worst_captioner: [varchar, "id of the captioner with the lowest score, the first by name of several; null for
--       printed rows"]
--   best_captioner: [varchar, "id of the captioner with the highest score, the first by name of several; null for
--       printed rows"]
--   cannot_rate_offered: [double, percent, 0..100, "mean over captioners of the share of the answers to questions that
--       offer the cannot option which chose it, the rate of Tables 11 to 26; only on the basis answers"]
--   n_questions: [bigint, count, questions of the category; null on the basis leaderboard]
--   n_images: [bigint, count, images of the category; only on the basis answers]
--   cannot_rate: [double, percent, 0..100, "mean over captioners of the share of all answers that chose the cannot
--       option, the rate that Table 9 prints; null on the basis leaderboard"]
--   note:
-- intervals:
--   mean_score, cannot_rate: share(n_questions, clusters)
--   cannot_rate_offered: share(least(n_offered, n_questions),
--       offered_clusters); effective images with such a question - 1 degrees of freedom

with scores as (
    select
        *, case origin when 'answers' then 'answers' else 'leaderboard' end as basis,
        key_of(protocol, reader, basis, prompt, provenance) as asked_id
    from captionqa_scores
    where level = 'category' and evidence = 'caption' and category <> '' and score is not null
        and (origin = 'published' or (condition_id, domain) in (
            select (condition_id, section) from boards where benchmark = 'captionqa' and origin = 'answers' and is_first
        ))
),

over_captioners as (
    select
        asked_id, protocol, reader, prompt, provenance, basis, domain, category,
        count(*) as n_models, count(cannot_rate_offered) as n_offered_models,
        ratio_of(sum(exact(score)), count(*)) as mean_score,
        deviation_of(sum(exact(score)), sum(exact_square(score)), count(*)) as sd,
        min(score) as min_score, max(score) as max_score, first_by(captioner, score) as worst_captioner,
        first_by(captioner, -score) as best_captioner,
        ratio_of(sum(exact(cannot_rate)), count(cannot_rate)) as cannot_rate,
        ratio_of(sum(exact(cannot_rate_offered)), count(cannot_rate_offered)) as cannot_rate_offered
    from scores
    group by all
),

-- The difference between an image's results and the results that the captioners' means predict; each captioner has the
-- same weight.
images as (
    select
        asked_id, domain, category, i.image_id,
        sum(exact((100 * score_of_parts(i.score_parts) - s.score * i.n_answers) / s.n_answers)) as score_part,
        sum(exact((100 * i.n_cannot - s.cannot_rate * i.n_answers) / s.n_answers)) as cannot_part,
        sum(exact((100 * i.n_cannot - s.cannot_rate_offered * i.n_offered) / nullif(s.n_offered, 0))) as offered_part,
        max(i.n_offered) as n_offered, max(i.n_questions) as n_questions
    from answered() as i
    inner join scores as s using (condition_id, domain, category)
    where i.level = 'category' and s.basis = 'answers'
    group by asked_id, domain, category, i.image_id
),

over_images as (
    select
        asked_id, domain, category,
        count(*) as n_images, sum(n_questions) as n_questions, sum(n_offered) as n_offered,
        effective_clusters(n_questions) as clusters, effective_clusters(n_offered) as offered_clusters,
        parts_error(sum(exact_square(cast(score_part as double))), count(*)) as score_error,
        parts_error(sum(exact_square(cast(cannot_part as double))), count(*)) as cannot_error,
        parts_error(sum(exact_square(cast(offered_part as double))), count(*) filter (where n_offered > 0))
            as offered_error
    from images
    group by asked_id, domain, category
)

select
    c.protocol, c.reader, c.prompt, c.provenance, basis, c.domain, category, n_models, mean_score,
    score_error / n_models as mean_score_se, sd, min_score, max_score, worst_captioner, best_captioner,
    cannot_rate_offered, offered_error / nullif(n_offered_models, 0) as cannot_rate_offered_se,
    n_questions, n_images, cannot_rate, cannot_error / n_models as cannot_rate_se, unread as note, n_offered, clusters,
    offered_clusters
from over_captioners as c
left join over_images using (asked_id, domain, category)
left join unread_answers as u
    on basis = 'answers'
    and (u.protocol, u.reader, u.provenance, u.domain, u.prompt)
        = (c.protocol, c.reader, c.provenance, c.domain, c.prompt)
union all by name
select
    paper_protocol() as protocol, paper_reader() as reader,
    case item when 'Table 9' then paper_prompt() else 'Short' end as prompt,
    'published' as provenance, item as basis, domain, category,
    printed_value(metric, 'mean_score', value) as mean_score,
    printed_value(metric, 'std', value) as sd, printed_value(metric, 'min', value) as min_score,
    printed_value(metric, 'max', value) as max_score, printed_value(metric, 'questions', value) as n_questions,
    printed_value(metric, 'cannot_rate', value) as cannot_rate
from published
where benchmark = 'captionqa' and source = 'paper' and item in ('Table 9', 'Section 14.5')
group by item, domain, category;

-- audit: mean_within_range: a mean lies between the lowest and the highest score; published_audit looks at printed ones
select basis, prompt, domain, category, min_score, mean_score, max_score
from captionqa_category_summary
where basis <> 'Table 9' and (mean_score < min_score - 0.000001 or mean_score > max_score + 0.000001);

-- audit: spread_within_range: a standard deviation is at most (max - min) / 2 times the root of n / (n - 1)
select basis, prompt, domain, category, sd, min_score, max_score, n_models
from captionqa_category_summary
where n_models >= 2 and sd > (max_score - min_score) / 2 * sqrt(n_models / (n_models - 1.0)) + 0.000001;

-- audit: all_within_offered: a share of all questions cannot pass the share of the questions that offer the option
select basis, prompt, domain, category, cannot_rate, cannot_rate_offered
from captionqa_category_summary
where cannot_rate > cannot_rate_offered + 0.000001;
