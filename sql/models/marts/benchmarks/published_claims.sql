-- what: statements in the texts of the four papers, each beside its value from the same paper's tables or from another
--     place of its text
--    text
-- key: [benchmark, section, claim]
-- source: the texts and figure captions of CaptionQA, CAPability, CV-CapBench and CapArena
-- columns:
--   benchmark: [varchar, paper]
--   section: [varchar, "section, figure or table whose words state it"]
--   claim: [varchar, quantity that the statement is about]
--   statement: [varchar, "what is stated, in our words"]
--   stated: [double, not null, "value as stated, in the unit of the statement; our reading of it where the statement is
--       in words"]
--   recomputed: [double, not null, "value from the tables, or as another place of the text states it"]
--   tolerance: [double, 0.., difference that rounding of both explains]
--   difference: [double, stated less recomputed]
--   holds: [boolean, the difference is within the tolerance]
--   kind: [varchar, [agreement, rounding, wording, contradiction], "agreement: it holds; rounding: off by at most one
--       unit of the last digit stated; wording: the words do not fit the figures; contradiction: the figures exclude
--       each other"]
--   unit: [varchar, unit of the values]
--   basis: [varchar, "source of the recomputed value"]
--   provenance: [varchar, [published], "published, as both values are"]

-- What the tables give for the quantities that have a definition.
with printed as (
    select benchmark, source, item, model_id, prompt, domain, category, metric, value
    from published
    where source <> 'statement'
),

definitions as (
    select
        benchmark, metric as quantity, defined(definition, 'take') as take, defined(definition, 'of') as metric,
        coalesce(defined(definition, 'item'), '%') as items,
        coalesce(defined(definition, 'model_id'), '%') as model_ids,
        defined(definition, 'model_type') as model_type, defined(definition, 'prompt') as prompt,
        defined(definition, 'domain') as domain,
        defined(definition, 'category') as category, defined(definition, 'other_model') as other_model,
        defined(definition, 'other_prompt') as other_prompt, defined(definition, 'other_category') as other_category,
        cast(defined(definition, 'bound') as double) as bound, cast(defined(definition, 'times') as double) as times,
        cast(defined(definition, 'over') as double) as over_value,
        cast(defined(definition, 'from') as double) as from_value,
        coalesce(cast(defined(definition, 'slack') as double), 0) as slack, defined(definition, 'basis') as basis
    from published
    where source = 'statement' and definition like 'take=%'
),

-- Figures of a row of a table beside each other.
wide as (
    select
        benchmark, item, model_id, domain, category,
        printed_value(metric, 'questions', value) as questions, printed_value(metric, 'images', value) as images,
        printed_value(metric, 'mean_score', value) as mean_score,
        printed_value(metric, 'cannot_rate', value) as cannot_rate,
        printed_value(metric, 'max', value) - printed_value(metric, 'min', value) as score_range,
        printed_value(metric, 'precision', value) as p, printed_value(metric, 'recall', value) as r,
        printed_value(metric, 'score_avg', value) as score,
        sum(case when metric in ('score_gpt', 'score_cog', 'score_cpm') then value end) as total,
        sum(printed_value(metric, 'questions', value)) over (partition by item, domain) as domain_questions
    from printed
    group by benchmark, item, model_id, domain, category
),

-- What is printed, and what follows from several printed figures.
figures as (
    select benchmark, item, model_id, prompt, domain, category, metric, value from printed
    union all by name
    select benchmark, item, model_id, domain, category, f.metric, f.value
    from wide
    left join (select value as speed from printed where metric = 'questions_per_second') on images is not null
    cross join lateral (
        values
            ('questions_per_image', ratio_of(questions, images)), ('minutes', questions / speed / 60),
            ('share_of_questions', case when category <> '' then percent_of(questions, domain_questions) end),
            ('score_range', score_range), ('precision_less_recall', p - r)
    ) as f (metric, value)
    where f.value is not null
    union all by name
    select benchmark, item, 'cannot_rate_and_difficulty' as metric, -pearson_of(mean_score, cannot_rate) as value
    from wide
    group by benchmark, item
    having count(mean_score + cannot_rate) > 2
    union all by name
    select benchmark, max(item) as item, 'precision_and_recall' as metric, pearson_of(p, r) as value
    from wide
    where category <> 'average' and p is not null and r is not null
    group by benchmark
    union all by name
    select
        benchmark, item, 'score_over_parts' as metric,
        ratio_of(sum(exact_product(score, total)), cast(sum(exact_square(total)) as double)) as value
    from wide
    where score is not null
    group by benchmark, item
    union all by name
    -- Cannot-rates under Short for which Figure 20 prints how much Long has more: at least this, as no category
    -- gains more from Simple to Long.
    select
        w.benchmark, p.item, 'Short' as prompt, domain, category, 'least_cannot_rate' as metric,
        w.cannot_rate + p.value - o.value as value
    from wide as w
    inner join printed as p using (domain, category)
    inner join (
        select max(value) as value from printed where metric = 'coverage_gain' and prompt = 'Simple to Long'
    ) as o on p.metric = 'coverage_gain' and p.prompt = 'Short to Long'
    where w.questions is not null
    union all by name
    select 'captionqa' as benchmark, model_id, 'mean_gap' as metric, mean_of(value) as value
    from printed
    where metric = 'utility_gap'
    group by model_id
    union all by name
    -- The printed gap is QA-on-image accuracy less QA-on-caption accuracy under Simple.
    select benchmark, model_id, paper_prompt() as prompt, f.metric, f.value
    from (
        select
            benchmark, model_id, mean_of(case when metric = 'utility_gap' then value end) as gap,
            mean_of(case when metric = 'accuracy' and prompt = paper_prompt() then value end) as accuracy
        from printed
        where benchmark = 'captionqa' and model_id <> ''
        group by benchmark, model_id
    )
    cross join lateral (
        values ('caption_accuracy', accuracy), ('image_accuracy', accuracy + gap)
    ) as f (metric, value)
    where f.value is not null
    union all by name
    -- Scores of the tables that print accuracies beside them.
    select benchmark, item, model_id, prompt, domain, category, 'domain_score' as metric, value
    from printed
    where metric = 'score' and item in (select item from printed where metric = 'accuracy' and prompt <> '')
    union all by name
    select benchmark, item, model_id, metric as category, 'judges' as metric, value
    from printed
    where benchmark = 'caparena' and category <> 'reference'
        and item in (select item from printed where metric = 'agreement')
        and (metric like 'agreement%' or metric in ('spearman', 'kendall'))
),

-- The place of a figure among the figures of all models, and among the figures of its model, sums and averages apart.
placed as (
    select
        *, key_of(metric, item, category, model_id, prompt, domain) as cell,
        rank() over (partition by benchmark, item, metric, prompt, domain, category order by value desc) as from_top,
        rank() over (of_model order by value) as least_place, rank() over (of_model order by value desc) as most_place
    from (
        select
            benchmark, coalesce(item, '') as item, coalesce(model_id, '') as model_id, coalesce(prompt, '') as prompt,
            coalesce(domain, '') as domain, coalesce(category, '') as category, metric, value,
            domain in ('Overall', 'Total') or category = 'average' as is_sum
        from figures
    )
    window of_model as (partition by benchmark, item, metric, model_id, prompt, is_sum)
),

selected as (
    select
        benchmark, d.quantity, d.take, f.item, f.category, f.is_sum, f.value, f.from_top, f.least_place, f.most_place,
        coalesce(d.bound, o.value) as other
    from definitions as d
    inner join placed as f using (benchmark, metric)
    left join models as m on m.model_id = f.model_id
    left join placed as o
        on o.benchmark = f.benchmark and coalesce(d.other_model, d.other_prompt, d.other_category) is not null
            and o.cell = key_of(
            f.metric, f.item, coalesce(d.other_category, f.category), coalesce(d.other_model, f.model_id),
            coalesce(d.other_prompt, f.prompt), f.domain)
    where f.item like d.items and f.model_id like d.model_ids
        and coalesce(m.model_type, '') = coalesce(d.model_type, m.model_type, '')
        and f.prompt = coalesce(d.prompt, f.prompt) and f.domain = coalesce(d.domain, f.domain)
        and f.category = coalesce(d.category, f.category)
            and (d.domain is not null or f.domain not in ('Overall', 'Total'))
),

taken as (
    select
        benchmark, quantity, max(item) as item, max(value) as greatest, min(value) as least,
        case take
            when 'value' then max(value)
            when 'most' then max(value)
            when 'least' then min(value)
            when 'mean' then mean_of(value)
            when 'second' then max(case when from_top = 2 then value end)
            -- Two equal values share a place: the best is then no better than the second.
            when 'lead' then case when count(case when from_top = 1 then 1 end) = 1
                then max(value) - max(case when from_top = 2 then value end) else 0 end
            when 'lowest' then count(case when least_place = 1 then 1 end)
            when 'highest' then count(case when most_place = 1 then 1 end)
            when 'leads' then count(distinct case when from_top = 1 then category end)
            when 'above' then count(case when value > other then 1 end)
            when 'below' then count(case when value < other then 1 end)
            when 'difference' then max(value - other)
            when 'share' then max(percent_of(value, other))
            when 'ratio' then max(ratio_of(value, other))
            when 'sign' then sign(max(value))
            when 'categories' then count(distinct case when not is_sum then category end)
        end as figure
    from selected
    group by benchmark, quantity, take
),

-- The place of a model's least number, if it is not where the definition of a statement looks for it.
elsewhere as (
    select benchmark, d.quantity, max(f.model_id || ' is in ' || f.domain) as place
    from definitions as d
    inner join placed as f using (benchmark, metric)
    where d.take = 'lowest' and f.least_place = 1 and not f.is_sum and f.domain <> d.domain
    group by benchmark, d.quantity
),

quantities as (
    select
        benchmark, d.quantity, d.slack,
        -- A count is 0 if the numbers exist, but not where the count looks for them.
        coalesce(t.figure, case when is_there and d.take in
            ('lowest', 'highest', 'leads', 'above', 'below', 'categories') then 0 end) as counted,
        coalesce(over_value / counted, from_value - counted, counted * times, counted) as value,
        replace(replace(replace(
            coalesce(d.basis, t.item), '{0}', coalesce(fixed_text(least, 0), '')),
            '{4}', coalesce(fixed_text(greatest, 4), '')), '{elsewhere}', coalesce(place, '')) as basis
    from definitions as d
    left join taken as t using (benchmark, quantity)
    left join (select distinct metric, true as is_there from figures) using (metric)
    left join elsewhere as e using (benchmark, quantity)
),

-- A figure without a table is compared with the next place that states it. 1e-9 covers the error of binary fractions.
compared as (
    select
        s.benchmark, s.item as section, s.metric as claim, s.text as statement, s.value as stated, s.unit,
        s.category = 'words' as in_words,
        -- Counts and words are not rounded.
        case when s.unit = 'count' or in_words then 0 else 0.5 / pow(10, s.decimals) end as half_unit,
        coalesce(q.slack, 0) + half_unit as tolerance,
        coalesce(q.value, lead(s.value) over same) as recomputed,
        coalesce(q.basis, 'stated so in ' || lead(s.item) over same) as basis,
        abs(stated - recomputed) - tolerance - 1e-9 as excess
    from published as s
    left join quantities as q on q.benchmark = s.benchmark and q.quantity = s.metric and q.value is not null
    where s.source = 'statement'
    window same as (partition by s.benchmark, s.metric order by s.line)
    qualify recomputed is not null
)

select
    benchmark, section, claim, statement, stated, recomputed, tolerance, stated - recomputed as difference,
    excess <= 0 as holds,
    case when excess <= 0 then 'agreement' when in_words then 'wording' when excess <= half_unit then 'rounding'
        else 'contradiction'
        end as kind,
    unit, basis, 'published' as provenance
from compared;

-- audit: claims_are_numbers: a recomputed value that is no number says nothing
select benchmark, claim, stated, recomputed
from published_claims
where isnan(recomputed) or isinf(recomputed);
