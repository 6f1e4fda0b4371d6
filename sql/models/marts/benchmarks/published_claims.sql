-- what: what the texts of the four papers state, each statement beside its value from the same paper's tables or from another place of its
--    text
-- key: [benchmark, section, claim]
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
        benchmark, item as section, metric as claim, text as statement, value as stated, unit, category = 'words' as in_words,
        -- Counts and words are not rounded.
        case when unit = 'count' or category = 'words' then 0 else 0.5 / pow(10, decimals) end as half_unit,
        lead(value) over same as stated_again, 'stated so in ' || lead(item) over same as other_place
    from published
    where source = 'statement'
    window same as (partition by benchmark, metric order by line)
),

-- What no table gives is compared with the next place that states it. 1e-9 is for what binary fractions add to decimals.
compared as (
    select
        benchmark, s.section, s.claim, s.statement, s.stated, s.unit, s.in_words, s.half_unit,
        coalesce(q.value, s.stated_again) as recomputed,
        coalesce(q.slack, 0) + s.half_unit as tolerance,
        abs(s.stated - coalesce(q.value, s.stated_again)) - coalesce(q.slack, 0) - s.half_unit - 1e-9 as excess,
        coalesce(q.basis, s.other_place) as basis
    from statements as s
    left join (select benchmark, quantity as claim, value, slack, basis from published_quantities) as q using (benchmark, claim)
    where coalesce(q.value, s.stated_again) is not null
)

select
    benchmark, section, claim, statement, stated, recomputed, tolerance, stated - recomputed as difference, excess <= 0 as holds,
    case when excess <= 0 then 'agreement' when in_words then 'wording' when excess <= half_unit then 'rounding' else 'contradiction'
        end as kind,
    unit, basis, 'published' as provenance
from compared;

-- audit: claims_are_numbers: a recomputed value that is no number says nothing
select benchmark, claim, stated, recomputed
from published_claims
where isnan(recomputed) or isinf(recomputed);
