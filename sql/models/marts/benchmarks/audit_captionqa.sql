-- what: numbers of CaptionQA's tables and of its public leaderboard that contradict each other
-- key: [check_name, item, model, prompt, domain, category, metric]
-- source: CaptionQA Tables 1, 2, 3, 9, 10 and 11 to 26, Figure 30 and leaderboard
-- columns:
--   check_name, item, model:
--   prompt: [varchar, caption prompt; empty when the row has none]
--   domain: [varchar, domain; empty when the row has none]
--   category: [varchar, taxonomy category; empty when the row has none]
--   metric: [varchar, figure that the finding is about; empty when it is about the whole row]
--   kind, printed, expected, message, provenance:

with figures as (
    select source, item, model, model_id, prompt, domain, category, metric, value, line
    from published
    where benchmark = 'captionqa'
),

-- The rows of Tables 11 to 26.
cells as (
    select
        item, model, model_id, prompt, domain, min(line) as line, printed_value(metric, 'score', value) as score,
        printed_value(metric, 'accuracy', value) as accuracy,
        printed_value(metric, 'cannot_rate_offered', value) as cannot_rate
    from figures
    where source = 'paper' and prompt <> '' and domain <> '' and category = '' and item not in ('Table 3', 'Table 9')
        and metric in ('score', 'accuracy', 'cannot_rate_offered')
    group by all
),

main_cells as (
    select
        item, model, model_id, prompt, domain, value as score,
        avg(case when domain <> 'Overall' then value end) over (partition by model_id, prompt) as mean_score
    from figures
    where source = 'paper' and item = 'Table 3' and metric = 'score'
),

domain_questions as (
    select domain, value as questions
    from figures
    where item = 'Table 1' and metric = 'questions' and domain <> 'Total'
),

-- The leaderboard prints the score of every model in every category under Simple, which Table 9 summarises.
board as (
    select domain, category, model_id, value as score
    from figures
    where source = 'leaderboard' and metric = 'score' and prompt = 'Simple'
),

-- One SELECT for each check. A finding without a kind is a contradiction.
found as (
    -- Score less accuracy is what the cannot option earned, so within a domain it is the same multiple of the
    -- cannot-rate.
    select
        'cannot_rate_against_score' as check_name, item, model, prompt, domain, null as category,
        'cannot_rate_offered' as metric, null as kind, cannot_rate as printed,
        round((score - accuracy) / slope, 1) as expected,
        format('score {:.2f} less accuracy {:.2f} implies a cannot-rate near {:.1f} in this domain; printed is {:.1f}',
            score, accuracy, expected, printed) as message
    from cells
    inner join (
        select domain, median((score - accuracy) / cannot_rate) as slope
        from cells
        where cannot_rate > 20
        group by domain
    ) using (domain)
    where abs((score - accuracy) / slope - cannot_rate) > 2
    union all by name
    select
        'accuracy_plus_cannot_above_100' as check_name, 'Tables 11-26' as item, 'cannot_rate_offered' as metric,
        'wording' as kind, max(accuracy + cannot_rate) as printed, 100 as expected,
        format('{} cells have accuracy and cannot-rate above 100 together, at most {:.2f}: the cannot-rate is a share '
            || 'of the questions that offer the option, accuracy one of all questions', count(*), printed) as message
    from cells
    where round(accuracy + cannot_rate, 2) > 100
    having count(*) > 0
    union all by name
    -- Tables 11 to 26 and Table 9 print two different rates under one name. A cannot answer earns 0.30 of a point with
    -- four options and more with fewer, so score less accuracy bounds the share of all questions that were answered
    -- with it.
    select
        'cannot_rate_of_all_or_of_offering_questions' as check_name, 'Table 9' as item, 'Simple' as prompt, domain,
        'cannot_rate' as metric, 'wording' as kind, d.rate as printed, c.rate as expected,
        format('Table 9''s cannot-rates, weighted by its question counts, average {:.1f}, the rates of {} {:.1f}: '
            || 'Table 9''s are shares of all questions (score less accuracy leaves at most {:.1f}), the others '
            || 'are shares of the questions that offer the option', d.rate, c.item, c.rate, c.most) as message
    from (
        select domain, ratio_of(sum(exact_mean(rate * questions)), sum(questions)) as rate
        from (
            select
                domain, printed_value(metric, 'cannot_rate', value) as rate,
                printed_value(metric, 'questions', value) as questions
            from figures
            where item = 'Table 9'
            group by domain, category
        )
        group by domain
        having count(rate) = count(*) and count(questions) = count(*)
    ) as d
    inner join (
        select domain, min(item) as item, mean_of(cannot_rate) as rate, mean_of(score - accuracy) / 0.30 as most
        from cells
        where prompt = 'Simple' and cannot_rate is not null
        group by domain
    ) as c using (domain)
    where d.rate <= c.most and c.rate > c.most
    union all by name
    select
        'main_table_against_domain_table' as check_name, m.item, m.model, prompt, domain, 'score' as metric,
        case when abs(m.score - c.score) <= 0.010001 then 'rounding' end as kind, m.score as printed,
        c.score as expected, format('{} prints {:.2f}, {} {:.2f}', m.item, m.score, c.item, c.score) as message
    from main_cells as m
    inner join cells as c using (model_id, prompt, domain)
    where abs(m.score - c.score) > 0.001
    union all by name
    -- Half a unit of the last digit, for the rounding of the mean, and as much for the rounding of its parts.
    select
        'overall_against_domain_mean' as check_name, item, model, prompt, domain, 'score' as metric, score as printed,
        mean_score as expected,
        format('overall is printed as {:.2f}; the mean of the four domains is {:.4f}', score, mean_score) as message
    from main_cells
    where domain = 'Overall' and abs(score - mean_score) > 0.010001
    union all by name
    select
        'total_against_sum' as check_name, item, 'Total' as domain, metric,
        max(case when domain = 'Total' then value end) as printed,
        sum(case when domain <> 'Total' then value end) as expected,
        format('the total is printed as {:.0f}; the rows add up to {:.0f}', printed, expected) as message
    from figures
    where item = 'Table 1'
    group by item, metric
    having printed <> expected
    union all by name
    select
        'question_count_against_table_1' as check_name, item, domain, 'questions' as metric, sum(value) as printed,
        questions as expected, format('{} counts {:.0f} questions, Table 1 {:.0f}', item, printed, expected) as message
    from figures
    inner join domain_questions using (domain)
    where item in ('Table 9', 'Table 10') and metric = 'questions'
    group by item, domain, questions
    having printed <> expected
    union all by name
    -- Every model of Tables 11 to 26 is in all of them.
    select
        'missing_row' as check_name, t.item, m.model, prompt, domain, s.score as expected,
        format('{} is in the other tables and absent from {}{}', m.model, t.item,
            coalesce(format('; Table 3 prints its score as {:.2f}', s.score), '')) as message
    from (select distinct item, prompt, domain from cells) as t
    cross join (select model_id, max(model) as model from cells group by model_id) as m
    anti join cells using (model_id, prompt, domain)
    left join main_cells as s using (model_id, prompt, domain)
    union all by name
    select
        'category_summary_against_leaderboard' as check_name, item, 'Simple' as prompt, domain, category,
        metric, case when abs(value - summary[metric]) <= 0.1501 then 'rounding' end as kind,
        value as printed, summary[metric] as expected,
        format('{} prints {} {:.1f}; the leaderboard''s {} models give {}',
            item, metric, printed, n_models, fixed_text(expected, 2)) as message
    from figures
    inner join (
        select
            domain, category, count(*) as n_models,
            map {'mean_score': avg(score), 'std': stddev_samp(score), 'min': min(score), 'max': max(score)} as summary
        from board
        group by domain, category
    ) using (domain, category)
    where item = 'Table 9' and abs(value - summary[metric]) > 0.0501
    union all by name
    -- Section 18: "Models in the tables are ranked by score", within open and proprietary models.
    select
        'rows_not_ranked_by_score' as check_name, item, model, prompt, domain, 'score' as metric, 'wording' as kind,
        score as printed, lag(score) over in_table as expected,
        format('{} with {:.2f} stands below {} with {:.2f}, though rows are said to be ranked by score',
            model, score, lag(model) over in_table, lag(score) over in_table) as message
    from cells
    inner join models using (model_id)
    window in_table as (partition by item, model_type order by line)
    qualify printed > expected
    union all by name
    -- Table 9: "Categories are sorted by mean score within each domain".
    select
        'rows_not_ranked_by_score' as check_name, item, 'Simple' as prompt, domain, category, metric,
        'wording' as kind, value as printed, lag(value) over in_domain as expected,
        format('{} with {:.2f} stands below {} with {:.1f}, though categories are said to be sorted by mean score',
            category, value, lag(category) over in_domain, lag(value) over in_domain) as message
    from figures
    where item = 'Table 9' and metric = 'mean_score'
    window in_domain as (partition by domain order by line)
    qualify printed > expected
    union all by name
    select
        'share_of_no_whole_number' as check_name, item, domain, category, metric, value as printed,
        round(round(value * n / 100, 0) * 100 / n, 0) as expected,
        format('{:.0f} % is no whole number of {:.0f} {}; {:.0f} % is the nearest one', printed, n, of_what, expected)
            as message
    from figures
    inner join (
        select 'Table 2' as item, value as n, 'questions, the sample of Section 4.4' as of_what
        from figures
        where metric = 'quality_questions'
        union all
        select 'Figure 30', nullif(count(distinct model_id), 0), 'models of the tables' from cells
    ) using (item)
    where metric in ('accuracy', 'models_correct') and abs(round(value * n / 100, 0) * 100 / n - value) > 0.5
    union all by name
    -- A model's score in a domain is a mean over its categories, so that the least category of any model is no better
    -- than that.
    select
        'domain_minimum_below_category_minima' as check_name, f.item, 'Simple' as prompt, domain, 'min' as metric,
        min(f.value) as printed, min(c.score) as expected,
        format('no category has a minimum below {:.1f}, though {} prints a model with {:.2f} in the domain, the mean '
            || 'of its questions', printed, min(c.item), expected) as message
    from figures as f
    inner join cells as c using (domain)
    where f.item = 'Table 9' and f.metric = 'min' and c.prompt = 'Simple'
    group by f.item, domain
    having printed > expected + 0.05
    union all by name
    -- Three rounded shares are off by at most 0.15 together.
    select
        'difficulty_shares_against_100' as check_name, item, domain, 'easy_share' as metric, sum(value) as printed,
        100 as expected, format('easy, medium and hard add up to {:.1f}', printed) as message
    from figures
    where item = 'Table 10' and metric in ('easy_share', 'medium_share', 'hard_share')
    group by item, domain
    having abs(printed - 100) > 0.1501
    union all by name
    -- A domain's score is a mean over its questions, so it lies between the scores of its categories.
    select
        'domain_score_outside_its_categories' as check_name, item, model, prompt, domain, 'score' as metric,
        score as printed, least(greatest(score, low), high) as expected,
        format('the domain''s score {:.2f} lies outside the leaderboard''s categories, {:.2f} to {:.2f}',
            score, low, high) as message
    from cells
    inner join (
        select domain, model_id, min(score) as low, max(score) as high from board group by domain, model_id
    ) using (domain, model_id)
    where prompt = 'Simple' and (score < low - 0.01 or score > high + 0.01)
    union all by name
    -- An accuracy is a whole number of the domain's questions, so not every percentage can come about.
    select
        'accuracy_of_no_whole_number_of_questions' as check_name, 'Tables 11-26' as item, domain,
        'accuracy' as metric,
        count(case when abs(round(accuracy * questions / 100, 0) * 100 / questions - accuracy) > 0.005001 then 1 end)
            as printed,
        0 as expected, format('{} of {} accuracies are no whole number of {:.0f} questions, the count of Table 1',
            printed, count(accuracy), max(questions)) as message
    from cells
    inner join domain_questions using (domain)
    group by domain
    having printed > 0
)

select
    check_name, item, coalesce(model, '') as model, coalesce(prompt, '') as prompt, coalesce(domain, '') as domain,
    coalesce(category, '') as category, coalesce(metric, '') as metric, coalesce(kind, 'contradiction') as kind,
    printed, expected, message, 'published' as provenance
from found;
