-- what: "CaptionQA scores overall and by domain, category and subcategory, computed from answers and as printed"
-- key: [protocol, reader, evidence, captioner, prompt, provenance, origin, level, domain, category, subcategory]
-- source: "CaptionQA Tables 3 and 11 to 26 (a cell that is absent there is taken from Table 3, score only), Figures 24 to 28; the public
--     leaderboard, scores by category"
-- columns:
--   condition_id, protocol, reader, evidence, captioner, captioner_name, prompt, provenance, size, model_type:
--   origin: [varchar, [answers, published], "base table that the row comes from: answers or published"]
--   level: [varchar, [overall, domain, category, subcategory], "overall: the mean of the four published domains, or of all domains of one's
--       own, only where all are present"]
--   domain: [varchar, "domain, or Overall"]
--   category: [varchar, first level of the domain's taxonomy; empty on the levels above and when the bank names none]
--   subcategory: [varchar, second level of the domain's taxonomy; empty on the levels above; questions without one are left out below]
--   source_item: [varchar, table of the paper or page of the leaderboard; null when computed from answers]
--   n_questions: [bigint, count, "questions answered; null for printed rows, as all counts"]
--   n_images: [bigint, count, items that the questions are about]
--   n_answers: [bigint, count, 1.., "answers, repetitions included: the denominator of score, accuracy and cannot_rate"]
--   n_correct, n_incorrect, n_cannot, n_unparsed:
--   n_failed: [bigint, count, 0.., calls that gave no reply; they score 0]
--   n_offered:
--   question_set: [bigint, 0.., "sum over the questions answered of a number made from the id of each: rows of one node with equal
--       ones are about the same questions; null for printed rows"]
--   main_set: [boolean, "these are the questions that most captioners answered under the same protocol, reader, prompt and provenance, the
--       most questions where that is even; null for printed rows"]
--   score: [double, percent, 0..105, mean score of all answers]
--   accuracy: [double, percent, 0..100, share of all answers that are correct; the leaderboard prints none]
--   cannot_rate: [double, percent, 0..100, "share of all answers that chose the cannot option: the rate of Table 9, section 14.5 and
--       Figures 20 to 23; null for printed rows"]
--   cannot_rate_offered: [double, percent, 0..100, "share of the answers to questions that offer the cannot option, yes/no questions left
--       out: the rate of Tables 11 to 26"]
--   effective_images: [double, count, "images that would tell as much if all had as many answers: the square of the sum of their numbers
--       over the sum of the squares; overall one more than the degrees of freedom; null for printed rows, and overall where a domain has
--       one image"]
--   effective_images_offered: [double, count, the same of answers to questions that offer the cannot option; null also where none does]
-- intervals:
--   score, accuracy, cannot_rate: share(n_questions, effective_images)
--   cannot_rate_offered: share(n_questions_offered, effective_images_offered); effective_images_offered - 1 degrees of freedom

-- What scores and standard errors of a node need: sums over its images, and sums of their squares and products.
with nodes as (
    select
        condition_id, level, domain, category, subcategory, count(*) as n_images, count(*) filter (where n_offered > 0) as n_images_offered,
        sum(n_questions) as n_questions, sum(n_answers) as n_answers, sum(n_correct) as n_correct, sum(n_incorrect) as n_incorrect,
        sum(n_cannot) as n_cannot, sum(n_unparsed) as n_unparsed, sum(n_failed) as n_failed, sum(n_offered) as n_offered,
        sum(score_parts) as score_parts, sum(question_set) as question_set,
        sum(n_answers * n_answers) as answers_answers, sum(n_offered * n_offered) as offered_offered,
        sum(whole_product(score_parts, score_parts)) as parts_parts, sum(whole_product(score_parts, n_answers)) as parts_answers,
        sum(n_correct * n_correct) as correct_correct, sum(n_correct * n_answers) as correct_answers,
        sum(n_cannot * n_cannot) as cannot_cannot, sum(n_cannot * n_answers) as cannot_answers, sum(n_cannot * n_offered) as cannot_offered
    from (
        select *, '' as subcategory from merged_captionqa_images()
        union all by name
        select *, 'subcategory' as level from merged_captionqa_image_sums() where subcategory <> ''
    ) as images
    group by condition_id, level, domain, category, subcategory
),

counted as (
    select
        level, condition_id, 'answers' as origin, domain, category, subcategory,
        n_questions, n_images, n_answers, n_correct, n_incorrect, n_cannot, n_unparsed, n_failed, n_offered, question_set,
        score_of_parts(percent_of(score_parts, n_answers)) as score,
        percent_of(n_correct, n_answers) as accuracy,
        percent_of(n_cannot, n_answers) as cannot_rate,
        percent_of(n_cannot, n_offered) as cannot_rate_offered,
        score_of_parts(ratio_error_of(score_parts, n_answers, parts_parts, parts_answers, answers_answers, n_images)) as score_se,
        ratio_error_of(n_correct, n_answers, correct_correct, correct_answers, answers_answers, n_images) as accuracy_se,
        ratio_error_of(n_cannot, n_answers, cannot_cannot, cannot_answers, answers_answers, n_images) as cannot_rate_se,
        ratio_error_of(n_cannot, n_offered, cannot_cannot, cannot_offered, offered_offered, n_images_offered) as cannot_rate_offered_se,
        clusters_of(n_answers, answers_answers) as effective_images,
        clusters_of(n_offered, offered_offered) as effective_images_offered,
        ratio_of(n_offered * n_questions, n_answers) as n_questions_offered
    from nodes
),

printed as (
    select
        case when p.category = '' then 'domain' else 'category' end as level, c.condition_id, 'published' as origin,
        p.domain, p.category, '' as subcategory,
        -- InternVL3 8B is absent from Table 12 (Natural, Simple) but Table 3 prints its score.
        coalesce(min(case when p.item <> 'Table 3' then p.item end), 'Table 3') as source_item,
        coalesce(
            max(case when p.metric = 'score' and p.item <> 'Table 3' then p.value end), max(case when p.metric = 'score' then p.value end)
        ) as score,
        max(case when p.metric = 'accuracy' then p.value end) as accuracy,
        max(case when p.metric = 'cannot_rate_offered' then p.value end) as cannot_rate_offered
    from published as p
    inner join conditions as c on c.condition_id
        = condition_of(paper_protocol(), paper_reader(), 'caption', coalesce(nullif(p.model_id, ''), p.model), p.prompt, 'published')
    where p.benchmark = 'captionqa' and p.domain not in ('', 'Overall') and p.metric in ('score', 'accuracy', 'cannot_rate_offered')
        and p.source = case when p.category = '' then 'paper' else 'leaderboard' end
    group by c.condition_id, p.domain, p.category
),

rows_found as (
    select * from counted
    union all by name
    select * from printed
),

overall as (
    select
        condition_id, origin,
        sum(n_questions) as n_questions, sum(n_images) as n_images, sum(n_answers) as n_answers, sum(n_correct) as n_correct,
        sum(n_incorrect) as n_incorrect, sum(n_cannot) as n_cannot, sum(n_unparsed) as n_unparsed, sum(n_failed) as n_failed,
        sum(n_offered) as n_offered, sum(question_set) as question_set,
        domain_mean(score, n_domains) as score, domain_mean(accuracy, n_domains) as accuracy,
        domain_mean(cannot_rate, n_domains) as cannot_rate, domain_mean(cannot_rate_offered, n_domains) as cannot_rate_offered,
        domain_error(score_se, n_domains) as score_se, domain_error(accuracy_se, n_domains) as accuracy_se,
        domain_error(cannot_rate_se, n_domains) as cannot_rate_se,
        domain_error(cannot_rate_offered_se, n_domains) as cannot_rate_offered_se,
        domain_clusters(effective_images) as effective_images, domain_clusters(effective_images_offered) as effective_images_offered,
        sum(n_questions_offered) as n_questions_offered
    from rows_found
    inner join conditions using (condition_id)
    where level = 'domain' and (is_published_domain(domain) or not published_domains)
    group by condition_id, origin
    having count(*) = max(n_domains)
),

all_levels as (
    select * from rows_found
    union all by name
    select *, 'overall' as level, 'Overall' as domain, '' as category, '' as subcategory from overall
)

select
    * exclude (n_alike, n_domains, published_domains),
    question_set = first_value(question_set) over (
        partition by protocol, reader, evidence, prompt, provenance, origin, level, domain, category, subcategory
        order by n_alike desc, n_questions desc, question_set
    ) as main_set
from (
    select
        *,
        count(*) over (
            partition by protocol, reader, evidence, prompt, provenance, origin, level, domain, category, subcategory, question_set
        ) as n_alike
    from all_levels
    inner join conditions using (condition_id)
) as s;

-- audit: score_not_below_accuracy: the cannot option can only add to the share of correct answers; printed figures are rounded
select origin, source_item, level, captioner, prompt, domain, category, subcategory, score, accuracy
from captionqa_scores
where score < accuracy - case origin when 'published' then 0.011 else 0.000001 end;

-- audit: no_answer_lost: the answers of a level are those of the sums by image
select s.level, s.n_answers, f.n_answers as n_answers_of_images
from (select level, sum(n_answers) as n_answers from captionqa_scores where level <> 'overall' and origin = 'answers' group by level) as s
cross join (
    select sum(n_answers) as n_answers, sum(case when subcategory <> '' then n_answers else 0 end) as below from captionqa_image_sums
) as f
where s.n_answers <> case s.level when 'subcategory' then f.below else f.n_answers end;

-- audit: outcomes_add_up: every answer has exactly one of the five known outcomes
select condition_id, domain, category, n_answers, n_correct, n_incorrect, n_cannot, n_unparsed, n_failed
from captionqa_scores
where n_answers <> n_correct + n_incorrect + n_cannot + n_unparsed + n_failed;
