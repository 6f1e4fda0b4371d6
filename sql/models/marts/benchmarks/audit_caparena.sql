-- what: numbers of CapArena's tables that contradict each other
-- key: [check_name, item, model, category, metric]
-- source: CapArena Tables 2, 3 and 8 and Figure 1
-- columns:
--   check_name, item, model:
--   category: [varchar, benchmark that Table 3 compares; empty when the row has none]
--   metric: [varchar, figure that the finding is about]
--   kind, printed, expected, message, provenance:

with figures as (
    select source, item, model, model_id, category, metric, value, line
    from published
    where benchmark = 'caparena'
),

auto as (select model, metric, value, line from figures where item = 'Table 8'),

auto_rows as (
    select
        model, min(line) as line, printed_value(metric, 'score_avg', value) as score,
        sum(case when metric in ('score_gpt', 'score_cog', 'score_cpm') then value end) / 3 as mean_score
    from auto
    group by model
),

-- A baseline scores 0 against itself, so the zeros show which baseline a column is about.
baselines as (select model, metric from auto where metric <> 'score_avg' and value = 0),

-- CapArena-Auto's rank correlations with the ranking by people's votes are printed, and so are both rankings.
rankings as (
    select list(s.value) as scores, list(-f.value) as places
    from figures as s
    inner join figures as f using (model_id)
    where s.source = 'paper' and s.item = 'Table 8' and s.metric = 'score_avg' and f.item = 'Figure 1'
        and f.metric = 'rank'
),

-- One SELECT for each check. A finding without a kind is a contradiction.
found as (
    select
        'rows_not_ranked_by_score' as check_name, 'Table 8' as item, model, null as category, 'score_avg' as metric,
        'wording' as kind, score as printed, lag(score) over (order by line) as expected,
        format('{} with {:.2f} stands below {:.2f}', model, printed, expected) as message
    from auto_rows
    qualify printed > expected
    union all by name
    select
        'score_against_mean_of_its_parts' as check_name, 'Table 8' as item, model, 'score_avg' as metric,
        case when abs(score - mean_score) <= 0.015 then 'rounding' end as kind, score as printed,
        mean_score as expected, format('the score is printed as {:.2f}; the mean of the three baselines is {:.2f}',
            printed, expected) as message
    from auto_rows
    where abs(score - mean_score) > 0.005001
    union all by name
    select
        'baselines_against_each_other' as check_name, 'Table 8' as item, a.model, b.metric, own.value as printed,
        -reply.value as expected,
        format('{} scores {:.1f} against {}, which scores {:.1f} against it: one is the other with its sign changed',
            a.model, printed, b.model, reply.value) as message
    from baselines as a
    inner join baselines as b on b.metric > a.metric
    inner join auto as own on own.model = a.model and own.metric = b.metric
    inner join auto as reply on reply.model = b.model and reply.metric = a.metric
    where printed <> expected
    union all by name
    -- Every level has battles, so the overall agreement lies between the agreements of the levels.
    select
        'agreement_outside_its_levels' as check_name, item, model, 'agreement' as metric,
        printed_value(metric, 'agreement', value) as printed,
        least(greatest(printed, min(level)), max(level)) as expected,
        format('the overall agreement {:.4f} lies outside its levels, {:.4f} to {:.4f}',
            printed, min(level), max(level)) as message
    from (select *, case when metric <> 'agreement' then value end as level from figures)
    where item = 'Table 2' and metric like 'agreement%'
    group by item, model
    having abs(printed - expected) > 0.0005
    union all by name
    select
        'correlation_against_its_rankings' as check_name, item, category, metric, value as printed,
        round(case metric when 'spearman' then spearman(scores, places) when 'kendall' then kendall(scores, places) end,
            4) as expected,
        format('{} is printed as {:.4f}; the scores of Table 8 and the ranking of Figure 1 give {:.4f}',
            metric, printed, expected) as message
    from figures
    cross join rankings
    where item = 'Table 3' and category = 'CapArena-Auto' and abs(printed - expected) > 0.000501
)

select
    check_name, item, coalesce(model, '') as model, coalesce(category, '') as category, metric,
    coalesce(kind, 'contradiction') as kind, printed, expected, message, 'published' as provenance
from found;
