-- model: published_audit
-- what: what the tables of the four papers and the public leaderboard say about each other that does not fit together
-- grain: one row per check and cell or row of a table that fails it
-- key: [benchmark, check_name, item, model, prompt, domain, category, metric]
-- inputs: [published, models]
-- source: CaptionQA Tables 1, 3, 9, 10 and 11 to 26 and leaderboard; CAPability Tables 3 to 5; CV-CapBench Tables 2 and 3; CapArena Tables
--    2 and 8
-- columns:
--   benchmark: [varchar, paper]
--   check_name: [varchar, which check found it; the message says what the check is]
--   item: [varchar, table that the finding is about]
--   model: [varchar, model of the row as printed; empty for rows about no model]
--   prompt: [varchar, caption prompt; empty when the row has none]
--   domain: [varchar, domain; empty when the row has none]
--   category: [varchar, taxonomy category or dimension; empty when the row has none]
--   metric: [varchar, figure that the finding is about; empty when it is about the whole row]
--   kind: [varchar, [contradiction, rounding, wording], "contradiction: the figures exclude each other; rounding: off by at most one unit
--       of the last digit; wording: the words do not fit the figures"]
--   printed: [double, figure as printed; null when a row is missing]
--   expected: [double, figure that the others imply; null when none can be named]
--   difference: [double, printed less expected]
--   message: [varchar, not null, the finding in words]
--   provenance: [varchar, [published], "published, as all figures that the audit is about"]

with figures as (
    select source, item, model, model_id, prompt, domain, category, metric, value, decimals, line
    from published
    where benchmark = 'captionqa'
),

cells as (
    select
        item,
        model,
        model_id,
        prompt,
        domain,
        min(line) as line,
        max(case when metric = 'score' then value end) as score,
        max(case when metric = 'accuracy' then value end) as accuracy,
        max(case when metric = 'cannot_rate_offered' then value end) as cannot_rate
    from figures
    where source = 'paper' and prompt <> '' and domain <> '' and category = '' and item not in ('Table 3', 'Table 9')
        and metric in ('score', 'accuracy', 'cannot_rate_offered')
    group by item, model, model_id, prompt, domain
),

-- Score less accuracy is what the cannot option earned, so within a domain it is the same multiple of the cannot-rate.
slopes as (
    select domain, median((score - accuracy) / cannot_rate) as slope
    from cells
    where cannot_rate > 20
    group by domain
),

cannot_rates as (
    select
        'cannot_rate_against_score' as check_name,
        c.item, c.model, c.prompt, c.domain, '' as category, 'cannot_rate_offered' as metric, 'contradiction' as kind,
        c.cannot_rate as printed,
        round((c.score - c.accuracy) / s.slope, 1) as expected,
        'score ' || fixed_text(c.score, 2) || ' less accuracy ' || fixed_text(c.accuracy, 2) || ' implies a cannot-rate near '
        || fixed_text((c.score - c.accuracy) / s.slope, 1) || ' in this domain; printed is ' || fixed_text(c.cannot_rate, 1) as message
    from cells as c
    inner join slopes as s on s.domain = c.domain
    where abs((c.score - c.accuracy) / s.slope - c.cannot_rate) > 2
),

above_hundred as (
    select
        'accuracy_plus_cannot_above_100' as check_name,
        'Tables 11-26' as item, '' as model, '' as prompt, '' as domain, '' as category, 'cannot_rate_offered' as metric, 'wording' as kind,
        max(accuracy + cannot_rate) as printed,
        cast(100 as double) as expected,
        cast(count(*) as varchar) || ' cells have accuracy and cannot-rate above 100 together, at most ' || fixed_text(max(accuracy
            + cannot_rate), 2)
        || ': the cannot-rate is a share of the questions that offer the option, accuracy one of all questions' as message
    from cells
    where round(accuracy + cannot_rate, 2) > 100
    having count(*) > 0
),

-- Tables 11 to 26 and Table 9 print two different rates under one name. A cannot answer earns 0.30 of a point with four
-- options and more with fewer, so score less accuracy bounds the share of all questions that were answered with it.
rate_means as (
    select
        domain, min(item) as item,
        ratio_of(sum(exact(cannot_rate)), count(cannot_rate)) as offered_rate,
        ratio_of(sum(exact(score - accuracy)), count(score - accuracy)) / 0.30 as most
    from cells
    where prompt = 'Simple' and cannot_rate is not null
    group by domain
),

category_rates as (
    select
        domain, category,
        max(case when metric = 'cannot_rate' then value end) as rate,
        max(case when metric = 'questions' then value end) as questions
    from figures
    where item = 'Table 9'
    group by domain, category
),

domain_rates as (
    select domain, ratio_of(sum(exact_mean(rate * questions)), sum(questions)) as rate
    from category_rates
    group by domain
    having count(rate) = count(*) and count(questions) = count(*)
),

two_cannot_rates as (
    select
        'cannot_rate_of_all_or_of_offering_questions' as check_name,
        'Table 9' as item, '' as model, 'Simple' as prompt, d.domain, '' as category, 'cannot_rate' as metric, 'wording' as kind,
        d.rate as printed,
        m.offered_rate as expected,
        'Table 9''s cannot-rates, weighted by its question counts, average ' || fixed_text(d.rate, 1) || ', those of ' || m.item || ' '
        || fixed_text(m.offered_rate, 1) || ': Table 9''s are shares of all questions, of which score less accuracy leaves at most '
        || fixed_text(m.most, 1) || ', the others of the questions that offer the option' as message
    from domain_rates as d
    inner join rate_means as m on m.domain = d.domain
    where d.rate <= m.most and m.offered_rate > m.most
),

main_cells as (
    select item, model, model_id, prompt, domain, value as score
    from figures
    where source = 'paper' and item = 'Table 3' and metric = 'score'
),

main_against_domain as (
    select
        'main_table_against_domain_table' as check_name,
        m.item, m.model, m.prompt, m.domain, '' as category, 'score' as metric,
        case when abs(m.score - c.score) <= 0.010001 then 'rounding' else 'contradiction' end as kind,
        m.score as printed,
        c.score as expected,
        'Table 3 prints ' || fixed_text(m.score, 2) || ', ' || c.item || ' ' || fixed_text(c.score, 2) as message
    from main_cells as m
    inner join cells as c on c.model_id = m.model_id and c.prompt = m.prompt and c.domain = m.domain
    where abs(m.score - c.score) > 0.001
),

main_means as (
    select
        model, model_id, prompt,
        max(case when domain = 'Overall' then score end) as overall,
        avg(case when domain <> 'Overall' then score end) as mean_score
    from main_cells
    group by model, model_id, prompt
),

overall_against_mean as (
    select
        'overall_against_domain_mean' as check_name,
        'Table 3' as item, model, prompt, 'Overall' as domain, '' as category, 'score' as metric, 'contradiction' as kind,
        overall as printed,
        mean_score as expected,
        'overall is printed as ' || fixed_text(overall, 2) || '; the mean of the four domains is ' || fixed_text(mean_score, 4) as message
    from main_means
    -- Half a unit of the last digit, for the rounding of the mean, and as much for that of its parts.
    where abs(overall - mean_score) > 0.010001
),

totals as (
    select
        'total_against_sum' as check_name,
        t.item, '' as model, '' as prompt, t.domain, '' as category, t.metric, 'contradiction' as kind,
        t.value as printed,
        sum(p.value) as expected,
        'the total is printed as ' || fixed_text(t.value, 0) || '; the rows add up to ' || fixed_text(sum(p.value), 0) as message
    from figures as t
    inner join figures as p on p.item = t.item and p.metric = t.metric and p.domain <> 'Total'
    where t.item = 'Table 1' and t.domain = 'Total'
    group by t.item, t.domain, t.metric, t.value
    having t.value <> sum(p.value)
),

domain_questions as (
    select domain, value as questions
    from figures
    where item = 'Table 1' and metric = 'questions' and domain <> 'Total'
),

counted as (
    select item, domain, sum(value) as questions
    from figures
    where item in ('Table 9', 'Table 10') and metric = 'questions'
    group by item, domain
),

question_counts as (
    select
        'question_count_against_table_1' as check_name,
        c.item, '' as model, '' as prompt, c.domain, '' as category, 'questions' as metric, 'contradiction' as kind,
        c.questions as printed,
        d.questions as expected,
        c.item || ' counts ' || fixed_text(c.questions, 0) || ' questions, Table 1 ' || fixed_text(d.questions, 0) as message
    from counted as c
    inner join domain_questions as d on d.domain = c.domain
    where c.questions <> d.questions
),

-- Every model of Tables 11 to 26 under every prompt in every domain.
missing_rows as (
    select
        'missing_row' as check_name,
        t.item, m.model, t.prompt, t.domain, '' as category, '' as metric, 'contradiction' as kind,
        cast(null as double) as printed,
        s.score as expected,
        m.model || ' is in the other tables and absent from ' || t.item
        || case when s.score is null then '' else '; Table 3 prints its score as ' || fixed_text(s.score, 2) end as message
    from (select distinct item, prompt, domain from cells) as t
    cross join (select model_id, max(model) as model from cells group by model_id) as m
    left join cells as c on c.item = t.item and c.model_id = m.model_id
    left join main_cells as s on s.model_id = m.model_id and s.prompt = t.prompt and s.domain = t.domain
    where c.item is null
),

-- The leaderboard prints the score of every model in every category under Simple, which Table 9 summarises.
board as (
    select domain, category, model_id, value as score
    from figures
    where source = 'leaderboard' and metric = 'score' and prompt = 'Simple'
),

board_summary as (
    select
        domain,
        category,
        count(*) as n_models,
        avg(score) as mean_score,
        stddev_samp(score) as spread,
        min(score) as low,
        max(score) as high
    from board
    group by domain, category
),

summary_cells as (
    select
        f.item, f.domain, f.category, f.metric, f.value as printed, b.n_models,
        case f.metric when 'mean_score' then b.mean_score when 'std' then b.spread when 'min' then b.low when 'max'
            then b.high end as expected
    from figures as f
    inner join board_summary as b on b.domain = f.domain and b.category = f.category
    where f.item = 'Table 9' and f.metric in ('mean_score', 'std', 'min', 'max')
),

category_summaries as (
    select
        'category_summary_against_leaderboard' as check_name,
        item, '' as model, 'Simple' as prompt, domain, category, metric,
        case when abs(printed - expected) <= 0.1501 then 'rounding' else 'contradiction' end as kind,
        printed,
        expected,
        'Table 9 prints ' || metric || ' ' || fixed_text(printed,
            1) || '; the leaderboard''s ' || cast(n_models as varchar) || ' models give '
        || fixed_text(expected, 2) as message
    from summary_cells
    where abs(printed - expected) > 0.0501
),

-- Section 18: "Models in the tables are ranked by score", within open and proprietary models.
ordered as (
    select
        c.item, c.model, c.prompt, c.domain, c.score,
        lag(c.model) over (partition by c.item, r.model_type order by c.line) as above_model,
        lag(c.score) over (partition by c.item, r.model_type order by c.line) as above_score
    from cells as c
    inner join models as r on r.model_id = c.model_id
),

unsorted as (
    select
        'rows_not_ranked_by_score' as check_name,
        item, model, prompt, domain, '' as category, 'score' as metric, 'wording' as kind,
        score as printed,
        above_score as expected,
        model || ' with ' || fixed_text(score, 2) || ' stands below ' || above_model || ' with ' || fixed_text(above_score, 2)
        || ', though rows are said to be ranked by score' as message
    from ordered
    where score > above_score
),

difficulty as (
    select domain, sum(value) as total
    from figures
    where item = 'Table 10' and metric in ('easy_share', 'medium_share', 'hard_share')
    group by domain
),

difficulty_shares as (
    select
        'difficulty_shares_against_100' as check_name,
        'Table 10' as item, '' as model, '' as prompt, domain, '' as category, 'easy_share' as metric, 'contradiction' as kind,
        total as printed,
        cast(100 as double) as expected,
        'easy, medium and hard add up to ' || fixed_text(total, 1) as message
    from difficulty
    -- Three rounded shares are off by at most 0.15 together.
    where abs(total - 100) > 0.1501
),

board_ranges as (
    select domain, model_id, min(score) as low, max(score) as high
    from board
    group by domain, model_id
),

-- A domain's score is a mean over its questions, so it lies between the scores of its categories.
outside_categories as (
    select
        'domain_score_outside_its_categories' as check_name,
        c.item, c.model, c.prompt, c.domain, '' as category, 'score' as metric, 'contradiction' as kind,
        c.score as printed,
        case when c.score < b.low then b.low else b.high end as expected,
        'the domain''s score ' || fixed_text(c.score, 2) || ' lies outside the leaderboard''s categories, ' || fixed_text(b.low,
            2) || ' to '
        || fixed_text(b.high, 2) as message
    from cells as c
    inner join board_ranges as b on b.domain = c.domain and b.model_id = c.model_id
    where c.prompt = 'Simple' and (c.score < b.low - 0.01 or c.score > b.high + 0.01)
),

-- An accuracy is a whole number of questions out of those of the domain, so not every percentage can come about.
reachable as (
    select
        c.domain,
        d.questions,
        c.accuracy,
        abs(round(c.accuracy * d.questions / 100, 0) * 100 / d.questions - c.accuracy) <= 0.005001 as can_be
    from cells as c
    inner join domain_questions as d on d.domain = c.domain
    where c.accuracy is not null
),

unreachable_accuracies as (
    select
        'accuracy_of_no_whole_number_of_questions' as check_name,
        'Tables 11-26' as item, '' as model, '' as prompt, domain, '' as category, 'accuracy' as metric, 'contradiction' as kind,
        cast(sum(case when can_be then 0 else 1 end) as double) as printed,
        cast(0 as double) as expected,
        cast(sum(case when can_be then 0 else 1 end) as varchar) || ' of ' || cast(count(*) as varchar)
        || ' accuracies are no whole number of ' || fixed_text(max(questions), 0) || ' questions, the count of Table 1' as message
    from reachable
    group by domain
    having sum(case when can_be then 0 else 1 end) > 0
),

-- CAPability and CV-CapBench: with P(recision), R(ecall) and H(it rate) of one model and dimension, R = P x H and F1 = 2PR / (P + R).
rubric_cells as (
    select
        benchmark, model, model_id, category,
        max(case when metric = 'precision' then item end) as item,
        max(case when metric = 'precision' then value end) as p,
        max(case when metric = 'recall' then value end) as r,
        max(case when metric = 'f1' then value end) as f1,
        max(case when metric = 'hit_rate' then value end) as h,
        0.5 / pow(10, max(decimals)) as half_unit
    from published
    where benchmark in ('capability', 'cv-capbench') and metric in ('precision', 'recall', 'f1', 'hit_rate') and item like 'Table %'
    group by benchmark, model, model_id, category
),

-- Ends of what the printed figures allow, when each may be off by half a unit of its last digit.
rubric_bounds as (
    select
        benchmark, item, model, category, 'f1' as metric, f1 as printed, half_unit,
        2 * p * r / nullif(p + r, 0) as expected,
        2 * (p - half_unit) * (r - half_unit) / nullif(p + r - 2 * half_unit, 0) as low,
        2 * (p + half_unit) * (r + half_unit) / nullif(p + r + 2 * half_unit, 0) as high,
        'F1 is printed as ' || f1 || '; precision ' || p || ' and recall ' || r || ' give ' as words
    from rubric_cells
    where category <> 'average'
    union all
    select
        benchmark, item, model, category, 'recall', r, half_unit, p * h / 100, (p - half_unit) * (h - half_unit) / 100, (p + half_unit)
            * (h + half_unit) / 100,
        'recall is printed as ' || r || '; precision ' || p || ' at a hit rate of ' || h || ' gives '
    from rubric_cells
    where category <> 'average'
),

rubric_identities as (
    select
        benchmark,
        metric || '_against_its_parts' as check_name,
        item, model, '' as prompt, '' as domain, category, metric,
        case when printed between low - 3 * half_unit and high + 3 * half_unit then 'rounding' else 'contradiction' end as kind,
        printed,
        expected,
        words || fixed_text(expected, 2) as message
    from rubric_bounds
    where printed + half_unit < low - 1e-9 or printed - half_unit > high + 1e-9
),

rubric_values as (
    select benchmark, item, model, category, metric, value, 0.5 / pow(10, decimals) as half_unit
    from published
    where benchmark in ('capability', 'cv-capbench') and metric in ('precision', 'recall', 'f1', 'hit_rate', 'qa_accuracy',
        'know_but_cannot_tell')
        and item like 'Table %'
),

rubric_means as (
    select
        benchmark, item, model, metric,
        max(case when category = 'average' then value end) as printed,
        avg(case when category <> 'average' then value end) as expected,
        max(half_unit) as half_unit
    from rubric_values
    group by benchmark, item, model, metric
),

averages_of_parts as (
    select benchmark, model, 2 * p * r / nullif(p + r, 0) as f1_of_averages
    from rubric_cells
    where category = 'average'
),

rubric_averages as (
    select
        m.benchmark,
        'average_against_dimension_mean' as check_name,
        m.item, m.model, '' as prompt, '' as domain, 'average' as category, m.metric,
        case
            when m.metric = 'f1' and abs(m.printed - a.f1_of_averages) <= 2 * m.half_unit + 1e-9 then 'wording'
            when abs(m.printed - m.expected) <= 4 * m.half_unit + 1e-9 then 'rounding'
            else 'contradiction'
        end as kind,
        m.printed,
        m.expected,
        'the average is printed as ' || m.printed || '; the mean of the dimensions is ' || fixed_text(m.expected, 2)
        || case
            when m.metric = 'f1' and abs(m.printed - a.f1_of_averages) <= 2 * m.half_unit + 1e-9
                then ', and what is printed is the F1 of the average precision and recall'
            else ''
        end as message
    from rubric_means as m
    left join averages_of_parts as a on a.benchmark = m.benchmark and a.model = m.model
    -- Half a unit for the rounding of the average, and as much for that of its parts.
    where abs(m.printed - m.expected) > 2 * m.half_unit + 1e-9
),

auto_rows as (
    select
        model, line,
        max(case when metric = 'score_avg' then value end) as score,
        sum(case when metric in ('score_gpt', 'score_cog', 'score_cpm') then value end) / 3 as expected
    from published
    where benchmark = 'caparena' and item = 'Table 8'
    group by model, line
),

auto_means as (
    select
        'caparena' as benchmark,
        'score_against_mean_of_its_parts' as check_name,
        'Table 8' as item, model, '' as prompt, '' as domain, '' as category, 'score_avg' as metric,
        case when abs(score - expected) <= 0.015 then 'rounding' else 'contradiction' end as kind,
        score as printed,
        expected,
        'the score is printed as ' || fixed_text(score, 2) || '; the mean of the three baselines is ' || fixed_text(expected, 2) as message
    from auto_rows
    where abs(score - expected) > 0.005001
),

auto_order as (
    select
        'caparena' as benchmark,
        'rows_not_ranked_by_score' as check_name,
        'Table 8' as item, model, '' as prompt, '' as domain, '' as category, 'score_avg' as metric, 'wording' as kind,
        score as printed,
        lag(score) over (order by line) as expected,
        model || ' with ' || fixed_text(score, 2) || ' stands below ' || fixed_text(lag(score) over (order by line), 2) as message
    from auto_rows
),

-- Every level has battles, so the overall agreement lies between those of the levels.
agreements as (
    select
        model,
        max(case when metric = 'agreement' then value end) as printed,
        min(case when metric <> 'agreement' then value end) as low,
        max(case when metric <> 'agreement' then value end) as high
    from published
    where benchmark = 'caparena' and item = 'Table 2' and metric like 'agreement%'
    group by model
),

outside_levels as (
    select
        'caparena' as benchmark,
        'agreement_outside_its_levels' as check_name,
        'Table 2' as item, model, '' as prompt, '' as domain, '' as category, 'agreement' as metric, 'contradiction' as kind,
        printed,
        case when printed < low then low else high end as expected,
        'the overall agreement ' || fixed_text(printed, 3) || ' lies outside its levels, ' || fixed_text(low,
            3) || ' to ' || fixed_text(high, 3) as message
    from agreements
    where printed < low - 0.0005 or printed > high + 0.0005
),

captionqa_findings as (
    select * from cannot_rates
    union all
    select * from unreachable_accuracies
    union all
    select * from above_hundred
    union all
    select * from two_cannot_rates
    union all
    select * from main_against_domain
    union all
    select * from overall_against_mean
    union all
    select * from totals
    union all
    select * from question_counts
    union all
    select * from missing_rows
    union all
    select * from category_summaries
    union all
    select * from unsorted
    union all
    select * from difficulty_shares
    union all
    select * from outside_categories
),

findings as (
    select 'captionqa' as benchmark, * from captionqa_findings
    union all
    select * from rubric_identities
    union all
    select * from rubric_averages
    union all
    select * from auto_means
    union all
    select * from auto_order where printed > expected
    union all
    select * from outside_levels
)

select
    benchmark, check_name, item, model, prompt, domain, category, metric, kind, printed, expected,
    printed - expected as difference,
    message,
    'published' as provenance
from findings;

-- audit: findings_say_what_differs: a finding about a figure names both figures, and they differ
select benchmark, check_name, item, model, domain, category, metric, printed, expected
from published_audit
where check_name <> 'missing_row' and (printed is null or expected is null or printed = expected);
