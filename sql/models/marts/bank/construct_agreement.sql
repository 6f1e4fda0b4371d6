-- what: how far two validators agree with each other and with the key of the question
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
--   n_same: [bigint, count, 0.., "number of these for which both chose the same option or the same flag"]
--   n_key_a: [bigint, count, 0.., candidates with the key as validator_a's choice]
--   n_key_b: [bigint, count, 0.., candidates with the key as validator_b's choice]
--   n_both_key: [bigint, count, 0.., "candidates for which both chose the key: accepted"]
--   n_both_flag: [bigint, count, 0.., "candidates for which both chose a flag: suggested for discarding"]
--   n_unread: [bigint, count, 0.., candidates without an answer of one that can be read]
--   agreement: [double, percent, 0..100, share of the candidates with the same option or flag as the choice of both]
--   expected: [double, percent, 0..100, "share of the candidates about which both would make the same kind of choice
--       by chance: key, another
--       option, or the same flag"]
--   kappa: [double, -1..1, "(agreement - expected) / (100 - expected) over the kinds of choices; null when chance alone
--       agrees always"]

with pairs as (
    select
        *, choice_a in ('unparsed', 'failed') or choice_b in ('unparsed', 'failed') as is_unread,
        choice_a not in ('key', 'other', 'unparsed', 'failed')
            and choice_b not in ('key', 'other', 'unparsed', 'failed') as is_flag
    from construct_confusion
),

-- For each choice of validator_a: its candidates, validator_b's choice beside it, and how often validator_b made it at
-- all.
kinds as (
    select
        domain, provenance, validator_a, validator_b, series.choice,
        sum(case when choice_a = series.choice then n_candidates else 0 end) as n_a,
        sum(case when choice_b = series.choice then n_candidates else 0 end) as n_b,
        sum(case when choice_a = series.choice and choice_b = series.choice then n_candidates else 0 end) as n_both,
        sum(case when choice_a = series.choice and is_flag then n_candidates else 0 end) as n_flag,
        sum(case when choice_a = series.choice and is_unread then n_candidates else 0 end) as n_unread,
        sum(case when choice_a = series.choice then n_same else 0 end) as n_same
    from pairs
    cross join (
        values ('key'), ('other'), ('ambiguous'), ('unanswerable'), ('unsuitable'), ('none'), ('unparsed'), ('failed')
    ) as series (choice)
    group by all
),

sums as (
    select
        domain, provenance, validator_a, validator_b, sum(n_a) as n_candidates, sum(n_same) as n_same,
        sum(n_both) as n_kind,
        sum(case choice when 'key' then n_a end) as n_key_a, sum(case choice when 'key' then n_b end) as n_key_b,
        sum(case choice when 'key' then n_both end) as n_both_key, sum(n_flag) as n_both_flag,
        sum(n_unread) as n_unread,
        cast(sum(whole_product(n_a, n_b)) as double) / (cast(sum(n_a) as double) * cast(sum(n_a) as double)) as expected
    from kinds
    group by all
)

select
    domain, provenance, validator_a, validator_b, model_name(validator_a) as validator_a_name,
    model_name(validator_b) as validator_b_name, n_candidates, n_same, n_key_a, n_key_b, n_both_key, n_both_flag,
    n_unread, percent_of(n_same, n_candidates) as agreement, 100 * expected as expected,
    (ratio_of(n_kind, n_candidates) - expected) / nullif(1 - expected, 0) as kappa
from sums;
