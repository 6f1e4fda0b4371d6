-- what: "the CaptionQA main table: one score per domain and their mean, for every captioner, caption prompt and reader"
-- key: [prompt, captioner, protocol, reader, provenance, origin]
-- source: CaptionQA Table 3, from the unrounded or printed scores of Tables 11 to 26
-- columns:
--   condition_id, protocol, reader, captioner, captioner_name, prompt, provenance, size, model_type:
--   origin: [varchar, [answers, published], "base table that the figures come from: answers or published"]
--   {domain}_score: [double, percent, 0..105, score in the domain {Domain}; null when absent]
--   overall: [double, percent, 0..105, "mean of the scores of the domains that overall_domains lists, unrounded: the published four
--       where any row of the same prompt, protocol, reader, provenance and origin has one of them, else all its domains; null unless all
--       are present"]
--   overall_present: [double, percent, not null, 0..105, "mean of the scores of all domains present, domains beyond the four included"]
--   rank: [bigint, rank, 1.., "place by overall among the rows of the same prompt, protocol, reader, provenance and origin that answered
--       the same questions; null without overall"]
--   n_domains: [bigint, count, 1.., "domains present, beyond the four included"]
--   n_questions: [bigint, count, questions answered; null for printed rows]
--   n_unparsed: [bigint, count, "replies without a readable choice, scored 0; null for printed rows"]
--   n_failed: [bigint, count, "calls that gave no reply, scored 0; null for printed rows"]
--   note:
-- intervals:
--   {domain}_score: share({domain}_questions, {domain}_images); effective images of the domain - 1 degrees of freedom
--   overall: share(overall_questions, overall_images); effective images - 1 degrees of freedom, over domains Satterthwaite's
--   overall_present: share(n_questions, images_present); effective images - 1 degrees of freedom, over domains Satterthwaite's

with scores as (
    select *, count(*) over (partition by condition_id, origin, level) as n_present
    from captionqa_scores
    where evidence = 'caption' and level in ('domain', 'overall') and score is not null
),

domains as (
    select
        condition_id, origin,
        max(case when domain = '{Domain}' then score end) as {domain}_score,
        max(case when domain = '{Domain}' then score_se end) as {domain}_score_se,
        max(case when domain = '{Domain}' then n_questions end) as {domain}_questions,
        max(case when domain = '{Domain}' then effective_images end) as {domain}_images,
        domain_mean(score, n_present) as overall_present,
        domain_error(score_se, n_present) as overall_present_se,
        domain_clusters(effective_images) as images_present,
        count(*) as n_domains, sum(n_questions) as n_questions, sum(n_unparsed) as n_unparsed, sum(n_failed) as n_failed,
        'score from Table 3, absent from the table of the domain: '
            || joined_text(case when origin = 'published' and source_item = 'Table 3' then domain end) as note
    from scores
    where level = 'domain'
    group by condition_id, origin
),

overall as (
    select
        condition_id, origin, score as overall, score_se as overall_se, n_questions as overall_questions,
        effective_images as overall_images, question_set, main_set
    from scores
    where level = 'overall'
),

joined as (
    select
        *,
        rank() over (partition by prompt, protocol, reader, provenance, origin, question_set order by overall desc nulls last) as place
    from domains
    left join overall using (condition_id, origin)
    inner join conditions using (condition_id)
)

select
    condition_id, protocol, reader, captioner, captioner_name, prompt, provenance, size, model_type, origin,
    {domain}_score, {domain}_score_se, {domain}_questions, {domain}_images,
    overall, overall_se, overall_questions, overall_images, overall_present, overall_present_se, images_present,
    case when overall is not null then place end as rank,
    n_domains, n_questions, n_unparsed, n_failed,
    coalesce(note, case when not main_set then 'other questions than most captioners answered: no place among these' end) as note
from joined;

-- audit: overall_within_domains: a mean lies between its least and its greatest part
select m.prompt, m.captioner, m.provenance, m.overall, min(s.score) as least, max(s.score) as greatest
from captionqa_main as m
inner join captionqa_scores as s on s.level = 'domain' and s.condition_id = m.condition_id and s.origin = m.origin
group by m.prompt, m.captioner, m.provenance, m.overall
having m.overall < min(s.score) - 0.000001 or m.overall > max(s.score) + 0.000001;
