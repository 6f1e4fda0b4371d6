-- what: "CaptionQA scores overall and by domain, category and subcategory, computed from answers and as printed"
-- key: [protocol, reader, evidence, captioner, prompt, provenance, origin, level, domain, category, subcategory]
-- source: "CaptionQA Tables 3 and 11 to 26 (a cell that is absent there is taken from Table 3, score only), Figures 24
--     to 28; the public leaderboard, scores by category"
-- columns:
--   condition_id, protocol, reader, evidence, captioner, captioner_name, prompt, provenance, size, model_type:
--   origin: [varchar, [answers, published], "base table that the row comes from: answers or published"]
--   level: [varchar, [overall, domain, category, subcategory], "overall: a mean of domains, each with the same weight"]
--   domain: [varchar, "domain; on the level overall a section: Overall, or the names of the domains where these are not
--       all"]
--   category: [varchar, first level of the domain's taxonomy; empty on the levels above and when the bank names none]
--   subcategory: [varchar, second level of the domain's taxonomy; empty on the levels above; questions without one are
--       left out below]
--   source_item: [varchar, table of the paper or page of the leaderboard; null when computed from answers]
--   n_questions: [bigint, count, "questions answered; null for printed rows, as all counts"]
--   n_images: [bigint, count, items that the questions are about]
--   n_answers: [bigint, count, 1.., "answers, whole repetitions included: the denominator of score, accuracy and
--       cannot_rate"]
--   n_correct, n_incorrect, n_cannot, n_unparsed:
--   n_failed: [bigint, count, 0.., calls that gave no reply; they score 0]
--   n_offered:
--   question_set: [bigint, 0.., "sum over the questions answered of a number made from the id of each: rows of one node
--       with equal ones are about the same questions; null for printed rows"]
--   note:
--   score: [double, percent, 0..105, "mean score of all answers; null where no reply could be read, as all rates are"]
--   accuracy: [double, percent, 0..100, share of all answers that are correct; the leaderboard prints none]
--   cannot_rate: [double, percent, 0..100, "share of all answers that chose the cannot option: the rate of Table 9,
--       section 14.5 and Figures 20 to 23; null for printed rows"]
--   cannot_rate_offered: [double, percent, 0..100, "share of the answers to questions that offer the cannot option,
--       yes/no questions left out: the rate of Tables 11 to 26"]
--   effective_images: [double, count, "images that would tell as much if all had as many answers: the square of the sum
--       of their numbers over the sum of the squares; overall one more than the degrees of freedom; null for printed
--       rows, and overall where a domain has one image"]
--   effective_images_offered: [double, count, the same of answers to questions that offer the cannot option; null also
--       where none does]
-- intervals:
--   score, accuracy, cannot_rate: share(n_questions, effective_images)
--   cannot_rate_offered: share(n_questions_offered,
--       effective_images_offered); effective_images_offered - 1 degrees of freedom

-- The sums from which the scores and standard errors of a node are computed: over its images, and of their squares and
-- products.
with nodes as (
    select
        condition_id, level, domain, category, subcategory, count(*) as n_images,
        count(*) filter (where n_offered > 0) as n_images_offered,
        sum(n_questions) as n_questions, sum(n_answers) as n_answers, sum(n_correct) as n_correct,
        sum(n_incorrect) as n_incorrect,
        sum(n_cannot) as n_cannot, sum(n_unparsed) as n_unparsed, sum(n_failed) as n_failed,
        sum(n_offered) as n_offered, sum(score_parts) as score_parts, sum(question_set) as question_set,
        sum(n_answers * n_answers) as answers_answers, sum(n_offered * n_offered) as offered_offered,
        sum(whole_product(score_parts, score_parts)) as parts_parts,
        sum(whole_product(score_parts, n_answers)) as parts_answers,
        sum(n_correct * n_correct) as correct_correct, sum(n_correct * n_answers) as correct_answers,
        sum(n_cannot * n_cannot) as cannot_cannot, sum(n_cannot * n_answers) as cannot_answers,
        sum(n_cannot * n_offered) as cannot_offered
    from answered(least_read := 0)
    group by condition_id, level, domain, category, subcategory
),

-- A domain without a readable reply has no score.
counted as (
    select
        level, condition_id, 'answers' as origin, domain, category, subcategory,
        n_questions, n_images, n_answers, n_correct, n_incorrect, n_cannot, n_unparsed, n_failed, n_offered,
        question_set, score_of_parts(percent_of(score_parts, n_read)) as score,
        percent_of(n_correct, n_read) as accuracy,
        percent_of(n_cannot, n_read) as cannot_rate,
        percent_of(n_cannot, case when n_read > 0 then n_offered end) as cannot_rate_offered,
        score_of_parts(ratio_error_of(score_parts, n_read, parts_parts, parts_answers, answers_answers, n_images))
            as score_se,
        ratio_error_of(n_correct, n_read, correct_correct, correct_answers, answers_answers, n_images) as accuracy_se,
        ratio_error_of(n_cannot, n_read, cannot_cannot, cannot_answers, answers_answers, n_images) as cannot_rate_se,
        ratio_error_of(n_cannot, case when n_read > 0 then n_offered end, cannot_cannot, cannot_offered,
            offered_offered, n_images_offered)
            as cannot_rate_offered_se,
        clusters_of(n_answers, answers_answers) as effective_images,
        clusters_of(n_offered, offered_offered) as effective_images_offered,
        ratio_of(n_offered * n_questions, n_answers) as n_questions_offered
    from (
        select
            *, case when sum(n_answers - n_unparsed - n_failed) over (partition by condition_id, domain) > 0
                then n_answers end as n_read
        from nodes
    ) as n
),

printed as (
    select
        case when p.category = '' then 'domain' else 'category' end as level, c.condition_id, 'published' as origin,
        p.domain, p.category, '' as subcategory,
        -- InternVL3 8B is absent from Table 12 (Natural, Simple) but Table 3 prints its score.
        coalesce(min(case when p.item <> 'Table 3' then p.item end), 'Table 3') as source_item,
        coalesce(
            max(case when p.metric = 'score' and p.item <> 'Table 3' then p.value end),
            printed_value(p.metric, 'score', p.value)
        ) as score, printed_value(p.metric, 'accuracy', p.value) as accuracy,
        printed_value(p.metric, 'cannot_rate_offered', p.value) as cannot_rate_offered
    from published as p
    inner join conditions as c on c.condition_id
        = condition_of(paper_protocol(), paper_reader(), 'caption', coalesce(nullif(p.model_id, ''), p.model), p.prompt,
            'published')
    where p.benchmark = 'captionqa' and p.domain not in ('', 'Overall')
        and p.metric in ('score', 'accuracy', 'cannot_rate_offered')
        and p.source = case when p.category = '' then 'paper' else 'leaderboard' end
    group by c.condition_id, p.domain, p.category
),

rows_found as (
    select * from counted
    union all by name
    select *, case when source_item = 'Table 3' then domain end as from_table_3 from printed
),

-- If all images of a domain have equal results, they say nothing about other images. Such a domain adds the variance of
-- its own interval.
overall as (
    select
        condition_id, origin, section as domain,
        sum(n_questions) as n_questions, sum(n_images) as n_images, sum(n_answers) as n_answers,
        sum(n_correct) as n_correct,
        sum(n_incorrect) as n_incorrect, sum(n_cannot) as n_cannot, sum(n_unparsed) as n_unparsed,
        sum(n_failed) as n_failed,
        sum(n_offered) as n_offered, sum(question_set) as question_set, joined_text(from_table_3) as from_table_3,
        domain_mean(score, n_domains) as score, domain_mean(accuracy, n_domains) as accuracy,
        domain_mean(cannot_rate, n_domains) as cannot_rate,
        domain_mean(cannot_rate_offered, n_domains) as cannot_rate_offered,
        domain_error(score_se, share_error(score, score_se, n_questions, effective_images), n_domains) as score_se,
        domain_error(accuracy_se, share_error(accuracy, accuracy_se, n_questions, effective_images), n_domains)
            as accuracy_se,
        domain_error(cannot_rate_se, share_error(cannot_rate, cannot_rate_se, n_questions, effective_images), n_domains)
            as cannot_rate_se,
        domain_error(
            cannot_rate_offered_se,
            share_error(cannot_rate_offered, cannot_rate_offered_se, n_questions_offered, effective_images_offered),
            n_domains
        ) as cannot_rate_offered_se,
        domain_clusters(effective_images) as effective_images,
        domain_clusters(effective_images_offered) as effective_images_offered,
        sum(n_questions_offered) as n_questions_offered
    from rows_found
    inner join sections using (condition_id, domain)
    where level = 'domain' and section <> domain
    group by condition_id, origin, section
    having count(*) = max(n_domains)
)

select
    s.* exclude (from_table_3), c.* exclude (condition_id),
    coalesce(
        'score from Table 3, absent from the table of the domain: ' || from_table_3,
        unread_note(n_answers, n_unparsed, n_failed)
    ) as note
from (
    select * from rows_found
    union all by name
    select *, 'overall' as level, '' as category, '' as subcategory from overall
) as s
inner join conditions as c using (condition_id);

-- audit: score_not_below_accuracy: the cannot option only adds to the share of correct answers; print rounds them
select origin, source_item, level, captioner, prompt, domain, category, subcategory, score, accuracy
from captionqa_scores
where score < accuracy - case origin when 'published' then 0.011 else 0.000001 end;

-- audit: no_answer_lost: a level has the answers of the sums by image, without repetitions that are not whole
select s.level, s.n_answers, f.n_answers as n_answers_of_images, p.n_answers as n_partial
from (select level, sum(n_answers) as n_answers from captionqa_scores where level <> 'overall' and origin = 'answers'
    group by level) as s
inner join (select level, sum(n_answers) as n_answers from captionqa_images group by level) as f using (level)
cross join (select coalesce(sum(n_answers), 0) as n_answers from partial_repetitions) as p
where s.n_answers <> f.n_answers - p.n_answers and s.level <> 'subcategory';

-- audit: outcomes_add_up: every answer has exactly one of the five known outcomes
select condition_id, domain, category, n_answers, n_correct, n_incorrect, n_cannot, n_unparsed, n_failed
from captionqa_scores
where n_answers <> n_correct + n_incorrect + n_cannot + n_unparsed + n_failed;
