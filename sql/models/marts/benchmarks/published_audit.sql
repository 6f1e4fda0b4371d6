-- what: what the tables of the four papers and the public leaderboard say about each other that does not fit together
-- key: [benchmark, check_name, item, model, prompt, domain, category, metric]
-- source: CaptionQA Tables 1, 2, 3, 9, 10 and 11 to 26, Figure 30 and leaderboard; CAPability Tables 3 to 6;
--     CV-CapBench Tables 2 and 3; CapArena Tables 2, 3 and 8 and Figure 1
-- columns:
--   benchmark: [varchar, paper]
--   check_name: [varchar, which check found it; the message says what the check is]
--   item: [varchar, table that the finding is about]
--   model: [varchar, model of the row as printed; empty for rows about no model]
--   prompt: [varchar, caption prompt; empty when the row has none]
--   domain: [varchar, domain; empty when the row has none]
--   category: [varchar, taxonomy category or dimension; empty when the row has none]
--   metric: [varchar, figure that the finding is about; empty when it is about the whole row]
--   kind: [varchar, [contradiction, rounding, wording], "contradiction: the figures exclude each other; rounding: off
--       by at most one unit of the last digit; wording: the words do not fit the figures"]
--   printed: [double, figure as printed; null when a row is missing]
--   expected: [double, figure that the others imply; null when none can be named]
--   difference: [double, printed less expected]
--   message: [varchar, not null, the finding in words]
--   provenance: [varchar, [published], "published, as all figures that the audit is about"]

-- What a check says; one step below gives the cells that fail it: what is printed, what the others imply, and what the
-- message says of them. Digits are those after the point of {printed} and {expected}; null for a figure as it is
-- printed.
with checks as (
    select * from (values
        ('cannot_rate_against_score', 1, 1,
            'score {a} less accuracy {b} implies a cannot-rate near {expected} in this domain; printed '
            || 'is {printed}'),
        ('accuracy_of_no_whole_number_of_questions', 0, 0,
            '{printed} of {a} accuracies are no whole number of {b} questions, the count '
            || 'of Table 1'),
        ('accuracy_plus_cannot_above_100', 2, 0,
            '{a} cells have accuracy and cannot-rate above {expected} together, at most {printed}: '
            || 'the cannot-rate is a share of the questions that offer the option, accuracy one of all questions'),
        ('cannot_rate_of_all_or_of_offering_questions', 1, 1,
            'Table 9''s cannot-rates, weighted by its question counts, average '
            || '{printed}, the rates of {a} {expected}: Table 9''s are shares of all questions, of which score less '
            || 'accuracy leaves at most {b}, the others of the questions that offer the option'),
        ('main_table_against_domain_table', 2, 2, '{item} prints {printed}, {a} {expected}'),
        ('overall_against_domain_mean', 2, 4,
            'overall is printed as {printed}; the mean of the four domains is {expected}'),
        ('total_against_sum', 0, 0, 'the total is printed as {printed}; the rows add up to {expected}'),
        ('question_count_against_table_1', 0, 0, '{item} counts {printed} questions, Table 1 {expected}'),
        ('missing_row', 2, 2, '{model} is in the other tables and absent from {item}{a}'),
        ('category_summary_against_leaderboard', 1, 2,
            '{item} prints {metric} {printed}; the leaderboard''s {a} models give {expected}'),
        ('rows_not_ranked_by_score', 2, 2, '{row} with {printed} stands below {a}'),
        ('difficulty_shares_against_100', 1, 0, 'easy, medium and hard add up to {printed}'),
        ('domain_score_outside_its_categories', 2, 2,
            'the domain''s score {printed} lies outside the leaderboard''s categories, {a} to '
            || '{b}'),
        ('f1_against_its_parts', null, 2, 'F1 is printed as {printed}; precision {a} and recall {b} give {expected}'),
        ('recall_against_its_parts', null, 2,
            'recall is printed as {printed}; precision {a} at a hit rate of {b} gives {expected}'),
        ('average_against_dimension_mean', null, 2,
            'the average is printed as {printed}; the mean of the dimensions is {expected}{a}'),
        ('score_against_mean_of_its_parts', 2, 2,
            'the score is printed as {printed}; the mean of the three baselines is {expected}'),
        ('agreement_outside_its_levels', 4, 4, 'the overall agreement {printed} lies outside its levels, {a} to {b}'),
        ('correlation_against_its_rankings', 4, 4,
            '{metric} is printed as {printed}; the scores of Table 8 and the ranking of Figure 1 '
            || 'give {expected}'),
        ('share_of_no_whole_number', 0, 0,
            '{printed} % is no whole number of {a} {b}; {expected} % is the nearest one'),
        ('domain_minimum_below_category_minima', 1, 2,
            'no category has a minimum below {printed}, though {a} prints a model with '
            || '{expected} in the domain, the mean of its questions'),
        ('baselines_against_each_other', 1, 1,
            '{model} scores {printed} against {a}, which scores {b} against it: one is the other with '
            || 'its sign changed')
    ) as t (check_name, printed_digits, expected_digits, message)
),

figures as (
    select source, item, model, model_id, prompt, domain, category, metric, value,
        line from published where benchmark = 'captionqa'
),

cells as (
    select
        item, model, model_id, prompt, domain, min(line) as line,
        printed_value(metric, 'score', value) as score, printed_value(metric, 'accuracy', value) as accuracy,
        printed_value(metric, 'cannot_rate_offered', value) as cannot_rate
    from figures
    where source = 'paper' and prompt <> '' and domain <> '' and category = ''
        and item not in (audited_table('main'), audited_table('categories'))
            and metric in ('score', 'accuracy', 'cannot_rate_offered')
    group by item, model, model_id, prompt, domain
),

-- Score less accuracy is what the cannot option earned, so within a domain it is the same multiple of the cannot-rate.
slopes as (
    select domain, median((score - accuracy) / cannot_rate) as slope from cells where cannot_rate > 20 group by domain
),

-- Tables 11 to 26 and Table 9 print two different rates under one name. A cannot answer earns 0.30 of a point with four
-- options and more with fewer, so score less accuracy bounds the share of all questions that were answered with it.
rate_means as (
    select domain, min(item) as item, mean_of(cannot_rate) as offered_rate, mean_of(score - accuracy) / 0.30 as most
    from cells
    where prompt = 'Simple' and cannot_rate is not null
    group by domain
),

category_rates as (
    select
        domain, category, printed_value(metric, 'cannot_rate', value) as rate,
        printed_value(metric, 'questions', value) as questions
    from figures
    where item = audited_table('categories')
    group by domain, category
),

domain_rates as (
    select domain, ratio_of(sum(exact_mean(rate * questions)), sum(questions)) as rate
    from category_rates
    group by domain
    having count(rate) = count(*) and count(questions) = count(*)
),

main_cells as (
    select
        item, model, model_id, prompt, domain, value as score,
        avg(case when domain <> 'Overall' then value end) over (partition by model_id, prompt) as mean_score
    from figures
    where source = 'paper' and item = audited_table('main') and metric = 'score'
),

-- Every model of Tables 11 to 26 under every prompt in every domain.
all_cells as (
    select t.item, t.prompt, t.domain, m.model_id, m.model
    from (select distinct item, prompt, domain from cells) as t
    cross join (select model_id, max(model) as model from cells group by model_id) as m
),

domain_questions as (
    select domain, value as questions from figures where item = audited_table('sizes') and metric = 'questions'
        and domain <> 'Total'
),

-- An accuracy is a whole number of the domain's questions, so not every percentage can come about.
reachable as (
    select
        domain, questions,
        case when abs(round(accuracy * questions / 100, 0) * 100 / questions - accuracy) <= 0.005001 then 0
            else 1 end as cannot_be
    from cells
    inner join domain_questions using (domain)
    where accuracy is not null
),

-- The leaderboard prints the score of every model in every category under Simple, which Table 9 summarises.
board as (
    select domain, category, model_id, value as score
    from figures
    where source = 'leaderboard' and metric = 'score' and prompt = 'Simple'
),

board_summary as (
    select
        domain, category, count(*) as n_models, avg(score) as mean_score, stddev_samp(score) as spread,
        min(score) as low, max(score) as high
    from board
    group by domain, category
),

summary_cells as (
    select
        f.item, f.domain, f.category, f.metric, f.value as printed, b.n_models,
        case f.metric when 'mean_score' then b.mean_score when 'std' then b.spread when 'min' then b.low when 'max'
            then b.high
            end as expected
    from figures as f
    inner join board_summary as b on b.domain = f.domain and b.category = f.category
    where f.item = audited_table('categories')
),

-- Section 18: "Models in the tables are ranked by score", within open and proprietary models.
ordered as (
    select
        'captionqa' as benchmark, c.item, c.model, c.prompt, c.domain, 'score' as metric, c.score,
        lag(c.score) over above as above_score,
        lag(c.model) over above || ' with ' || fixed_text(lag(c.score) over above, 2)
            || ', though rows are said to be ranked by score' as a
    from cells as c
    inner join models as r on r.model_id = c.model_id
    window above as (partition by c.item, r.model_type order by c.line)
),

-- Table 9: "Categories are sorted by mean score within each domain".
ordered_categories as (
    select
        'captionqa' as benchmark, item, '' as model, 'Simple' as prompt, domain, category, 'mean_score' as metric,
        value as score, lag(value) over above as above_score,
        lag(category) over above || ' with ' || fixed_text(lag(value) over above, 1)
            || ', though categories are said to be sorted by mean score' as a
    from figures
    where item = audited_table('categories') and metric = 'mean_score'
    window above as (partition by domain order by line)
),

-- A baseline scores 0 against itself, which tells whose baseline a column is.
baselines as (
    select item, model, metric
    from published
    where benchmark = 'caparena' and item = audited_table('auto') and metric <> 'score_avg' and value = 0
),

mutual as (
    select a.item, a.model, b.metric, b.model as other, x.value as own, y.value as reply
    from baselines as a
    inner join baselines as b on b.item = a.item and b.metric > a.metric
    inner join published as x on x.benchmark = 'caparena' and x.item = a.item and x.model = a.model
        and x.metric = b.metric
    inner join published as y on y.benchmark = 'caparena' and y.item = a.item and y.model = b.model
        and y.metric = a.metric
),

board_ranges as (
    select domain, model_id, min(score) as low, max(score) as high from board group by domain, model_id
),

auto_rows as (
    select
        item, model, min(line) as line, printed_value(metric, 'score_avg', value) as score,
        sum(case when metric in ('score_gpt', 'score_cog', 'score_cpm') then value end) / 3 as expected
    from published
    where benchmark = 'caparena' and item = audited_table('auto')
    group by item, model
),

auto_order as (
    select 'caparena' as benchmark, item, model, '' as prompt, '' as domain, 'score_avg' as metric, score,
        lag(score) over (order by line) as above_score, fixed_text(lag(score) over (order by line), 2) as a
    from auto_rows
),

-- Every level has battles, so the overall agreement lies between the agreements of the levels.
agreements as (
    select
        item, model, printed_value(metric, 'agreement', value) as printed,
        min(case when metric <> 'agreement' then value end) as low,
        max(case when metric <> 'agreement' then value end) as high
    from published
    where benchmark = 'caparena' and item = audited_table('agreement') and metric like 'agreement%'
    group by item, model
),

-- CapArena-Auto's rank correlations with the ranking by people's votes are printed, and so are both rankings.
arena_places as (
    select list(s.value) as scores, list(-f.value) as places
    from published as s
    inner join published as f on f.benchmark = s.benchmark and f.model_id = s.model_id and f.item = 'Figure 1'
        and f.metric = 'rank'
    where s.benchmark = 'caparena' and s.source = 'paper' and s.item = 'Table 8' and s.metric = 'score_avg'
),

arena_correlations as (
    select 'spearman' as metric, spearman(scores, places) as expected from arena_places
    union all
    select 'kendall', kendall(scores, places) from arena_places
),

-- CAPability and CV-CapBench: with P(recision), R(ecall) and H(it rate) of one model and dimension, R = P x H and F1 =
-- 2PR / (P + R).
rubric as (
    select benchmark, item, model, category, metric, value, 0.5 / pow(10, decimals) as half_unit
    from published
    where benchmark in ('capability', 'cv-capbench') and item like 'Table %'
        and metric in ('precision', 'recall', 'f1', 'hit_rate', 'qa_accuracy', 'know_but_cannot_tell')
),

rubric_cells as (
    select
        benchmark, model, category, max(half_unit) as half_unit,
        max(case when metric = 'precision' then item end) as item,
        printed_value(metric, 'precision', value) as p, printed_value(metric, 'recall', value) as r,
        printed_value(metric, 'f1', value) as f1, printed_value(metric, 'hit_rate', value) as h
    from rubric
    where metric in ('precision', 'recall', 'f1', 'hit_rate')
    group by benchmark, model, category
),

-- Ends that the printed figures allow, when each may be off by half a unit of its last digit.
rubric_bounds as (
    select
        benchmark, item, model, category, half_unit, 'f1' as metric, f1 as printed,
        2 * p * r / nullif(p + r, 0) as expected,
        2 * (p - half_unit) * (r - half_unit) / nullif(p + r - 2 * half_unit, 0) as low,
        2 * (p + half_unit) * (r + half_unit) / nullif(p + r + 2 * half_unit, 0) as high, p as a, r as b
    from rubric_cells
    union all
    select
        benchmark, item, model, category, half_unit, 'recall' as metric, r as printed, p * h / 100 as expected,
        (p - half_unit) * (h - half_unit) / 100 as low, (p + half_unit) * (h + half_unit) / 100 as high, p as a, h as b
    from rubric_cells
),

rubric_means as (
    select
        benchmark, item, model, metric, max(half_unit) as half_unit,
        max(case when category = 'average' then value end) as printed,
        avg(case when category <> 'average' then value end) as expected
    from rubric
    group by benchmark, item, model, metric
),

rubric_averages as (
    select
        benchmark, m.item, model, m.metric, m.printed, m.expected, m.half_unit,
        m.metric = 'f1' and abs(m.printed - 2 * c.p * c.r / nullif(c.p + c.r, 0)) <= 2 * m.half_unit + 1e-9
            as is_f1_of_averages
    from rubric_means as m
    left join (select * from rubric_cells where category = 'average') as c using (benchmark, model)
),

-- A finding without a kind is a contradiction. Where a check has two kinds, rounding is how far rounding alone can go.
found as (
    select
        'captionqa' as benchmark, 'cannot_rate_against_score' as check_name, c.item, c.model, c.prompt, c.domain,
        '' as category, 'cannot_rate_offered' as metric, null as kind, c.cannot_rate as printed,
        round((c.score - c.accuracy) / s.slope, 1) as expected, fixed_text(c.score, 2) as a,
        fixed_text(c.accuracy, 2) as b
    from cells as c
    inner join slopes as s on s.domain = c.domain
    where abs((c.score - c.accuracy) / s.slope - c.cannot_rate) > 2
    union all
    select
        'captionqa', 'accuracy_plus_cannot_above_100', audited_table('domains'), '', '', '', '', 'cannot_rate_offered',
        'wording', max(accuracy + cannot_rate), 100, cast(count(*) as varchar), null
    from cells
    where round(accuracy + cannot_rate, 2) > 100
    having count(*) > 0
    union all
    select
        'captionqa', 'cannot_rate_of_all_or_of_offering_questions', audited_table('categories'), '', 'Simple', domain,
        '', 'cannot_rate', 'wording', d.rate, m.offered_rate, m.item, fixed_text(m.most, 1)
    from domain_rates as d
    inner join rate_means as m using (domain)
    where d.rate <= m.most and m.offered_rate > m.most
    union all
    select
        'captionqa', 'main_table_against_domain_table', m.item, m.model, prompt, domain, '', 'score',
        case when abs(m.score - c.score) <= 0.010001 then 'rounding' end, m.score, c.score, c.item, null
    from main_cells as m
    inner join cells as c using (model_id, prompt, domain)
    where abs(m.score - c.score) > 0.001
    union all
    -- Half a unit of the last digit, for the rounding of the mean, and as much for the rounding of its parts.
    select 'captionqa', 'overall_against_domain_mean', item, model, prompt, domain, '', 'score', null, score,
        mean_score, null, null
    from main_cells
    where domain = 'Overall' and abs(score - mean_score) > 0.010001
    union all
    select
        'captionqa', 'total_against_sum', t.item, '', '', t.domain, '', t.metric, null, t.value, sum(p.value), null,
        null
    from figures as t
    inner join figures as p on p.item = t.item and p.metric = t.metric and p.domain <> 'Total'
    where t.item = audited_table('sizes') and t.domain = 'Total'
    group by t.item, t.domain, t.metric, t.value
    having t.value <> sum(p.value)
    union all
    select
        'captionqa', 'question_count_against_table_1', f.item, '', '', domain, '', 'questions', null, sum(f.value),
        d.questions, null, null
    from figures as f
    inner join domain_questions as d using (domain)
    where f.item in (audited_table('categories'), audited_table('difficulty')) and f.metric = 'questions'
    group by f.item, domain, d.questions
    having sum(f.value) <> d.questions
    union all
    select
        'captionqa', 'missing_row', a.item, a.model, prompt, domain, '', '', null, null, s.score,
        coalesce('; Table 3 prints its score as ' || fixed_text(s.score, 2), ''), null
    from all_cells as a
    left join cells as c using (model_id, prompt, domain)
    left join main_cells as s using (model_id, prompt, domain)
    where c.line is null
    union all
    select
        'captionqa', 'category_summary_against_leaderboard', item, '', 'Simple', domain, category, metric,
        case when abs(printed - expected) <= 0.1501 then 'rounding' end, printed, expected, cast(n_models as varchar),
            null
    from summary_cells
    where abs(printed - expected) > 0.0501
    union all
    select benchmark, 'rows_not_ranked_by_score', item, model, prompt, domain, category, metric, 'wording', score,
        above_score, a, null
    from (
        select *, '' as category from ordered union all by name select *, '' as category from auto_order
        union all by name select * from ordered_categories
    )
    where score > above_score
    union all
    select
        'captionqa', 'share_of_no_whole_number', f.item, '', '', domain, category, metric, null, f.value,
        round(round(f.value * n / 100, 0) * 100 / n, 0), fixed_text(n, 0), n.what
    from figures as f
    inner join (
        select audited_table('quality') as item, value as n, 'questions, the sample of Section 4.4' as what
        from figures
        where metric = 'quality_questions'
        union all
        select audited_table('questions'), count(distinct model_id), 'models of the tables' from cells
            having count(*) > 0
    ) as n using (item)
    where metric in ('accuracy', 'models_correct') and abs(round(f.value * n / 100, 0) * 100 / n - f.value) > 0.5
    union all
    -- A model's score in a domain is a mean over its categories, so that the least category of any model is no better
    -- than that.
    select
        'captionqa', 'domain_minimum_below_category_minima', max(f.item), '', 'Simple', domain, '', 'min', null,
        min(f.value), c.score, c.item, null
    from figures as f
    inner join (select domain, min(score) as score, min(item) as item from cells where prompt = 'Simple'
        group by domain) as c
        using (domain)
    where f.item = audited_table('categories') and f.metric = 'min'
    group by domain, c.score, c.item
    having min(f.value) > c.score + 0.05
    union all
    select
        'caparena', 'baselines_against_each_other', item, model, '', '', '', metric, null, own, -reply, other,
        fixed_text(reply, 1)
    from mutual
    where own + reply <> 0
    union all
    -- Three rounded shares are off by at most 0.15 together.
    select 'captionqa', 'difficulty_shares_against_100', item, '', '', domain, '', 'easy_share', null, sum(value), 100,
        null, null
    from figures
    where item = audited_table('difficulty') and metric in ('easy_share', 'medium_share', 'hard_share')
    group by item, domain
    having abs(sum(value) - 100) > 0.1501
    union all
    -- A domain's score is a mean over its questions, so it lies between the scores of its categories.
    select
        'captionqa', 'domain_score_outside_its_categories', c.item, c.model, c.prompt, domain, '', 'score', null,
        c.score, case when c.score < b.low then b.low else b.high end, fixed_text(b.low, 2), fixed_text(b.high, 2)
    from cells as c
    inner join board_ranges as b using (domain, model_id)
    where c.prompt = 'Simple' and (c.score < b.low - 0.01 or c.score > b.high + 0.01)
    union all
    select
        'captionqa', 'accuracy_of_no_whole_number_of_questions', audited_table('domains'), '', '', domain, '',
        'accuracy', null, sum(cannot_be), 0, cast(count(*) as varchar), fixed_text(max(questions), 0)
    from reachable
    group by domain
    having sum(cannot_be) > 0
    union all
    select
        benchmark, metric || '_against_its_parts', item, model, '', '', category, metric,
        case when printed between low - 3 * half_unit and high + 3 * half_unit then 'rounding' end, printed, expected,
        cast(a as varchar), cast(b as varchar)
    from rubric_bounds
    where category <> 'average' and (printed + half_unit < low - 1e-9 or printed - half_unit > high + 1e-9)
    union all
    -- Half a unit is for the rounding of the average.
    select
        benchmark, 'average_against_dimension_mean', item, model, '', '', 'average', metric,
        case when is_f1_of_averages then 'wording' when abs(printed - expected) <= 4 * half_unit + 1e-9
            then 'rounding' end,
        printed, expected,
        case when is_f1_of_averages then ', and what is printed is the F1 of the average precision and recall'
            else '' end, null
    from rubric_averages
    where abs(printed - expected) > half_unit + 1e-9
    union all
    select
        'caparena', 'score_against_mean_of_its_parts', item, model, '', '', '', 'score_avg',
        case when abs(score - expected) <= 0.015 then 'rounding' end, score, expected, null, null
    from auto_rows
    where abs(score - expected) > 0.005001
    union all
    select
        'caparena', 'agreement_outside_its_levels', item, model, '', '', '', 'agreement', null, printed,
        case when printed < low then low else high end, fixed_text(low, 3), fixed_text(high, 3)
    from agreements
    where printed < low - 0.0005 or printed > high + 0.0005
    union all
    select
        'caparena', 'correlation_against_its_rankings', item, '', '', '', category, metric, null, value,
        round(expected, 4), null, null
    from published
    inner join arena_correlations using (metric)
    where benchmark = 'caparena' and item = 'Table 3' and category = 'CapArena-Auto'
        and abs(value - expected) > 0.000501
)

select
    f.benchmark, check_name, f.item, f.model, f.prompt, f.domain, f.category, f.metric,
    coalesce(f.kind, 'contradiction') as kind, f.printed, f.expected, f.printed - f.expected as difference,
    replace(replace(replace(replace(replace(replace(replace(replace(
        c.message, '{item}', f.item), '{row}', coalesce(nullif(f.model, ''), f.category)), '{model}', f.model),
            '{metric}', f.metric),
        '{printed}', coalesce(case when c.printed_digits is null then cast(f.printed as varchar)
            else fixed_text(f.printed, c.printed_digits) end, '')),
        '{expected}', coalesce(fixed_text(f.expected, c.expected_digits), '')),
        '{a}', coalesce(f.a, '')), '{b}', coalesce(f.b, '')) as message,
    'published' as provenance
from found as f
inner join checks as c using (check_name);

-- audit: findings_say_what_differs: a finding about a figure names both figures, and they differ
select benchmark, check_name, item, model, domain, category, metric, printed, expected
from published_audit
where check_name <> 'missing_row' and (printed is null or expected is null or printed = expected);
