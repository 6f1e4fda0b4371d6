-- model: published_claims
-- what: what the texts of the four papers state, each statement beside its value from the same paper's tables or from another place of its
--    text
-- grain: one row per statement of a text
-- key: [benchmark, section, claim]
-- inputs: [published, published_quantities]
-- source: the texts and figure captions of CaptionQA, CAPability, CV-CapBench and CapArena
-- columns:
--   benchmark: [varchar, paper]
--   section: [varchar, "section, figure or table whose words state it"]
--   claim: [varchar, quantity that the statement is about]
--   statement: [varchar, "what is stated, in our words"]
--   stated: [double, not null, "value as stated, in the unit of the statement; our reading of it where the statement is in words"]
--   recomputed: [double, not null, "value from the tables, or as another place of the text states it"]
--   tolerance: [double, 0.., difference that rounding of both explains]
--   difference: [double, stated less recomputed]
--   holds: [boolean, the difference is within the tolerance]
--   kind: [varchar, [agreement, rounding, wording, contradiction], "agreement: it holds; rounding: off by at most one unit of the last
--       digit stated; wording: the words do not fit the figures; contradiction: the figures exclude each other"]
--   unit: [varchar, unit of the values]
--   basis: [varchar, what the recomputed value comes from]
--   provenance: [varchar, [published], "published, as both values are"]

with statements as (
    select
        benchmark,
        item as section,
        metric as claim,
        text as statement,
        value as stated,
        unit,
        line,
        category = 'words' as in_words,
        -- Counts and words are not rounded.
        case when unit = 'count' or category = 'words' then 0 else 0.5 / pow(10, decimals) end as half_unit
    from published
    where source = 'statement'
),

-- Shares of questions and lengths of captions are stated as figures of their own.
text_figures as (
    select
        benchmark,
        item as section,
        case metric when 'question_share' then 'share of ' || category || ', ' || domain else 'words under ' || prompt end as claim,
        case metric
            when 'question_share' then category || ' makes ' || fixed_text(value, 1) || ' % of the questions of ' || domain
            else 'captions under ' || prompt || ' have ' || fixed_text(value, 0) || ' words on average'
        end as statement,
        value as stated,
        unit,
        line,
        false as in_words,
        0.5 / pow(10, decimals) as half_unit
    from published
    where benchmark = 'captionqa' and (metric = 'question_share' and item like 'Section %' or metric = 'mean_words'
        and item like 'Figure %' and domain = 'Overall')
),

transition_figures as (
    select
        category,
        max(case when metric = 'mean_coverage_gain' then value end) as coverage_gain,
        max(case when metric = 'mean_accuracy_gain' and item <> 'Figure 18' then value end) as accuracy_gain,
        max(case when metric = 'pearson' then value end) as pearson,
        max(case when metric = 'share_of_long' then value end) as share_of_long
    from published
    where benchmark = 'captionqa' and item like 'Figure %' and metric in ('mean_coverage_gain', 'mean_accuracy_gain', 'pearson',
        'share_of_long')
    group by category
),

words as (
    select
        max(case when claim = 'words under Simple' then stated end) as simple_words,
        max(case when claim = 'words under Long' then stated end) as long_words
    from text_figures
),

-- What follows from figures that the text prints outside its tables.
derived as (
    select 'share of the gain at Simple' as claim, percent_of(s.accuracy_gain, l.accuracy_gain) as value, 0.3 as slack,
        'mean accuracy gains of Figure 21' as basis
    from transition_figures as s
    cross join transition_figures as l
    where s.category = 'Short to Simple' and l.category = 'Short to Long'
    union all
    select 'largest losses, mean loss', accuracy_gain, 0, 'mean loss of the same figure, which a largest loss exceeds'
    from transition_figures
    where category = 'Long to Taxonomy-Hinted'
    union all
    select 'mean accuracy gain from Simple to Long', accuracy_gain, 0.05, 'Figure 22'
        from transition_figures where category = 'Simple to Long'
    union all
    select 'sign of the correlation from Long to Taxonomy-Hinted', sign(pearson), 0, 'r = ' || fixed_text(pearson,
        3) || ', printed beside it'
    from transition_figures
    where category = 'Long to Taxonomy-Hinted'
    union all
    select 'share of the length at Simple', percent_of(simple_words, long_words), 0.2, 'words of Figure 13' from words
    union all
    select 'growth from Simple to Long', ratio_of(long_words, simple_words), 0.003, 'words of Figure 13' from words
    union all
    select 'words under ' || prompt, value, 0, item from published where benchmark = 'captionqa' and metric = 'mean_words'
        and item like 'Figure %' and domain = 'Overall'
),

quantities as (
    select benchmark, quantity as claim, value, slack, basis from published_quantities
    union all
    select 'captionqa', claim, value, slack, basis from derived where value is not null
),

-- What no table gives is compared with the next place that states it.
stated_again as (
    select
        benchmark,
        section,
        claim,
        lead(stated) over same as value,
        'stated so in ' || lead(section) over same as basis
    from statements
    window same as (partition by benchmark, claim order by line)
),

everything as (
    select benchmark, section, claim, statement, stated, unit, in_words, half_unit from statements
    union all
    select benchmark, section, claim, statement, stated, unit, in_words, half_unit from text_figures where claim like 'share of %'
),

compared as (
    select
        e.benchmark, e.section, e.claim, e.statement, e.stated, e.unit, e.in_words, e.half_unit,
        coalesce(q.value, a.value) as recomputed,
        coalesce(q.slack, 0) + e.half_unit as tolerance,
        coalesce(q.basis, a.basis) as basis
    from everything as e
    left join quantities as q on q.benchmark = e.benchmark and q.claim = e.claim
    left join stated_again as a on a.benchmark = e.benchmark and a.claim = e.claim and a.section = e.section
),

judged as (
    select
        benchmark, section, claim, statement, stated, unit, recomputed, tolerance, basis,
        -- 1e-9 for what binary fractions add to differences of printed decimals.
        abs(stated - recomputed) <= tolerance + 1e-9 as holds,
        case
            when abs(stated - recomputed) <= tolerance + 1e-9 then 'agreement'
            when in_words then 'wording'
            when abs(stated - recomputed) <= tolerance + half_unit + 1e-9 then 'rounding'
            else 'contradiction'
        end as kind
    from compared
    where recomputed is not null
)

select
    benchmark, section, claim, statement, stated, recomputed, tolerance,
    stated - recomputed as difference,
    holds, kind, unit, basis,
    'published' as provenance
from judged;

-- audit: claims_are_numbers: a recomputed value that is no number says nothing
select benchmark, claim, stated, recomputed
from published_claims
where isnan(recomputed) or isinf(recomputed);
