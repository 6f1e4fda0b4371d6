-- what: how far two validators agree with each other and with the key
-- key: [domain, provenance, validator_a, validator_b]
-- source: "CaptionQA section 4.4; kappa: Cohen 1960, over the choices of construct_confusion"
-- columns:
--   domain:
--   provenance: [varchar, "measured or simulated, of the two the one that is believed less"]
--   validator_a: [varchar, model_id of the validator whose name comes first]
--   validator_b: [varchar, model_id of the other]
--   validator_a_name: [varchar, name of validator_a to show to people]
--   validator_b_name: [varchar, name of validator_b to show to people]
--   n_candidates: [bigint, count, 1.., candidates that both looked at]
--   n_same: [bigint, count, 0.., "of them, those of which both chose the same option or the same flag"]
--   n_key_a: [bigint, count, 0.., those of which validator_a chose the key]
--   n_key_b: [bigint, count, 0.., those of which validator_b chose the key]
--   n_both_key: [bigint, count, 0.., "those of which both chose the key: accepted"]
--   n_both_flag: [bigint, count, 0.., "those of which both chose a flag: suggested for discarding"]
--   n_unread: [bigint, count, 0.., those of which one did not answer or cannot be read]
--   agreement: [double, percent, 0..100, share of the candidates of which both chose the same option or the same flag]
--   expected: [double, percent, 0..100, "share of the candidates of which both would make the same kind of choice by chance: key, another
--       option, or the same flag"]
--   kappa: [double, -1..1, "(agreement - expected) / (100 - expected) over the kinds of choices; null when chance alone agrees always"]

with sides as (
    select
        domain, provenance, validator_a, validator_b, series.choice,
        sum(case when choice_a = series.choice then n_candidates else 0 end) as n_a,
        sum(case when choice_b = series.choice then n_candidates else 0 end) as n_b, sum(n_candidates) as n
    from construct_confusion
    cross join (
        values ('key'), ('other'), ('ambiguous'), ('unanswerable'), ('unsuitable'), ('none'), ('unparsed'), ('failed')
    ) as series (choice)
    group by domain, provenance, validator_a, validator_b, series.choice
),

chance as (
    select
        domain, provenance, validator_a, validator_b,
        cast(sum(whole_product(n_a, n_b)) as double) / max(cast(n as double) * cast(n as double)) as expected
    from sides
    group by domain, provenance, validator_a, validator_b
),

sums as (
    select
        domain, provenance, validator_a, validator_b, sum(n_candidates) as n_candidates, sum(n_same) as n_same,
        total(case when choice_a = 'key' then n_candidates else 0 end) as n_key_a,
        total(case when choice_b = 'key' then n_candidates else 0 end) as n_key_b,
        total(case when choice_a = 'key' and choice_b = 'key' then n_candidates else 0 end) as n_both_key,
        total(case when choice_a not in ('key', 'other', 'unparsed', 'failed') and choice_b not in ('key', 'other', 'unparsed', 'failed')
            then n_candidates else 0 end) as n_both_flag,
        total(case when choice_a in ('unparsed', 'failed') or choice_b in ('unparsed', 'failed') then n_candidates else 0 end) as n_unread,
        total(case when choice_a = choice_b then n_candidates else 0 end) as n_kind
    from construct_confusion
    group by domain, provenance, validator_a, validator_b
)

select
    domain, provenance, validator_a, validator_b, coalesce(a.name, validator_a) as validator_a_name,
    coalesce(b.name, validator_b) as validator_b_name, n_candidates, n_same, n_key_a, n_key_b, n_both_key, n_both_flag, n_unread,
    percent_of(n_same, n_candidates) as agreement, 100 * expected as expected,
    (ratio_of(n_kind, n_candidates) - expected) / nullif(1 - expected, 0) as kappa
from sums
inner join chance using (domain, provenance, validator_a, validator_b)
left join models as a on a.model_id = validator_a
left join models as b on b.model_id = validator_b;
