-- what: the judges side by side, with their agreement with people on single battles and on the ranking of captioners
-- key: [benchmark, origin, judge, protocol, provenance]
-- source: CapArena Table 2
-- columns:
--   benchmark: [varchar, [caparena, caparena-auto]]
--   origin: [varchar, [battles, published], "battles: computed from votes; published: printed"]
--   judge: [varchar, "name of a metric or a model_id; people for the agreement between annotators as printed"]
--   protocol: [varchar, protocol of the judge's votes]
--   provenance:
--   judge_type: [varchar, [human, metric, model]]
--   judge_name:
--   needs_reference: [boolean, "whether the judge was given a person's caption; null when not known"]
--   n_battles: [bigint, count, 1.., "battles; null for printed rows"]
--   tie_rate: [double, percent, 0..100, ties of the judge]
--   people_tie_rate: [double, percent, 0..100, ties of people on the same battles]
--   agreement: [double, percent, 0..100, "battles of which both say the same, a tie being a third outcome"]
--   agreement_1: [double, percent, 0..100, the same on battles of level 1]
--   agreement_2: [double, percent, 0..100, the same of level 2]
--   agreement_3: [double, percent, 0..100, the same of level 3]
--   agreement_4: [double, percent, 0..100, the same of level 4]
--   without_ties: [double, percent, 0..100, the same on the battles that neither side tied]
--   spearman: [double, correlation, -1..1, "rank correlation of the captioners' Elo ratings by the judge and by people"]
--   kendall: [double, correlation, -1..1, Kendall's tau-b of the same]
--   mean_bias: [double, points, 0.., "mean over captioners of the absolute difference of win rates by the judge and by people"]
-- intervals:
--   agreement, agreement_1, agreement_2, agreement_3, agreement_4, without_ties, spearman, kendall: given

with shares as (
    select
        benchmark, origin, judge, protocol, provenance, judge_type, max(judge_name) as judge_name,
        bool_or(needs_reference) as needs_reference,
        max(case when level = 'all' and ties = 'included' then n_battles end) as n_battles,
        max(case when level = 'all' and ties = 'included' then percent_of(n_judge_ties, n_battles) end) as tie_rate,
        max(case when level = 'all' and ties = 'included' then percent_of(n_people_ties, n_battles) end) as people_tie_rate,
        max(case when level = 'all' and ties = 'included' then agreement end) as agreement,
        max(case when level = 'all' and ties = 'included' then agreement_low end) as agreement_low,
        max(case when level = 'all' and ties = 'included' then agreement_high end) as agreement_high,
        max(case when level = '1' and ties = 'included' then agreement end) as agreement_1,
        max(case when level = '1' and ties = 'included' then agreement_low end) as agreement_1_low,
        max(case when level = '1' and ties = 'included' then agreement_high end) as agreement_1_high,
        max(case when level = '2' and ties = 'included' then agreement end) as agreement_2,
        max(case when level = '2' and ties = 'included' then agreement_low end) as agreement_2_low,
        max(case when level = '2' and ties = 'included' then agreement_high end) as agreement_2_high,
        max(case when level = '3' and ties = 'included' then agreement end) as agreement_3,
        max(case when level = '3' and ties = 'included' then agreement_low end) as agreement_3_low,
        max(case when level = '3' and ties = 'included' then agreement_high end) as agreement_3_high,
        max(case when level = '4' and ties = 'included' then agreement end) as agreement_4,
        max(case when level = '4' and ties = 'included' then agreement_low end) as agreement_4_low,
        max(case when level = '4' and ties = 'included' then agreement_high end) as agreement_4_high,
        max(case when level = 'all' and ties = 'excluded' then agreement end) as without_ties,
        max(case when level = 'all' and ties = 'excluded' then agreement_low end) as without_ties_low,
        max(case when level = 'all' and ties = 'excluded' then agreement_high end) as without_ties_high
    from arena_agreement
    group by benchmark, origin, judge, protocol, provenance, judge_type
),

correlations as (
    select
        benchmark, origin, judge, protocol, provenance, max(spearman) as spearman, max(spearman_low) as spearman_low,
        max(spearman_high) as spearman_high, max(kendall) as kendall, max(kendall_low) as kendall_low, max(kendall_high) as kendall_high,
        max(mean_bias) as mean_bias
    from arena_correlations
    where kind = 'judge' and method = 'elo'
    group by benchmark, origin, judge, protocol, provenance
)

select
    shares.*, spearman, spearman_low, spearman_high, kendall, kendall_low, kendall_high, mean_bias
from shares
left join correlations using (benchmark, origin, judge, protocol, provenance);
