-- model: prompt_transition_summary
-- what: a change of the caption prompt in a few numbers: mean gains, how many categories lose, and how coverage and accuracy go together
-- grain: one row per protocol, reader, provenance, origin, level and transition
-- key: protocol, reader, provenance, origin, level, transition
-- inputs: prompt_transitions, published
-- source: CaptionQA sections 14.1 to 14.4: means over categories, number of losers, Pearson r 0.905, 0.902, 0.837 and 0.966
-- columns:
--   protocol            varchar  -            how questions were put, parsed and scored
--   reader              varchar  -            model_id of the model that answered
--   provenance          varchar  -            published, measured or simulated
--   origin              varchar  -            base table that the figures come from: answers or published
--   level               varchar  -            what the means are over: category or domain; of printed figures, domain is computed from the paper's tables and category is stated in its text
--   transition          varchar  -            change of the prompt
--   n_rows              bigint   count        categories or domains; null, as any other number, where the text does not state it
--   mean_accuracy_gain  double   points       mean accuracy gain, each row with the same weight
--   mean_score_gain     double   points       mean score gain
--   mean_coverage_gain  double   points       mean coverage gain
--   least_gain          double   points       smallest accuracy gain
--   greatest_gain       double   points       greatest accuracy gain
--   n_losing            bigint   count        rows whose accuracy falls
--   n_losing_5          bigint   count        rows whose accuracy falls by more than 5 points
--   n_flat              bigint   count        rows whose accuracy changes by less than 2 points
--   share_of_long       double   percent      mean gain from Short to Simple as a share of that from Short to Long; null on other transitions
--   pearson             double   correlation  Pearson r of coverage gain and accuracy gain over the rows; null below two rows or without variation
-- checks:
--   level in category, domain
--   n_rows >= 1
--   origin in answers, published
--   n_losing >= 0
--   pearson between -1.000000001 and 1.000000001

with gains as (
    select protocol, reader, provenance, origin, level, transition, accuracy_gain, score_gain, coverage_gain
    from prompt_transitions
    where level <> 'overall'
),

sums as (
    select
        protocol, reader, provenance, origin, level, transition,
        count(*) as n_rows,
        count(coverage_gain) as n_coverage,
        sum(exact(accuracy_gain)) as accuracy_sum,
        sum(exact(score_gain)) as score_sum,
        sum(exact(coverage_gain)) as coverage_sum,
        sum(case when coverage_gain is not null then exact(accuracy_gain) end) as accuracy_covered_sum,
        sum(exact_square(coverage_gain)) as coverage_squares,
        sum(case when coverage_gain is not null then exact_square(accuracy_gain) end) as accuracy_squares,
        sum(exact_product(coverage_gain, accuracy_gain)) as products,
        min(accuracy_gain) as least_gain,
        max(accuracy_gain) as greatest_gain,
        sum(case when accuracy_gain < 0 then 1 else 0 end) as n_losing,
        sum(case when accuracy_gain < -5 then 1 else 0 end) as n_losing_5,
        sum(case when abs(accuracy_gain) < 2 then 1 else 0 end) as n_flat
    from gains
    group by protocol, reader, provenance, origin, level, transition
),

stated as (
    select
        category as transition,
        max(case when metric = 'categories' then value end) as n_rows,
        max(case when metric = 'mean_accuracy_gain' then value end) as mean_accuracy_gain,
        max(case when metric = 'mean_coverage_gain' then value end) as mean_coverage_gain,
        max(case when metric = 'least_gain' then value end) as least_gain,
        max(case when metric = 'greatest_gain' then value end) as greatest_gain,
        max(case when metric = 'losing_categories' then value end) as n_losing,
        max(case when metric = 'losing_categories_5' then value end) as n_losing_5,
        max(case when metric = 'flat_categories' then value end) as n_flat,
        max(case when metric = 'share_of_long' then value end) as share_of_long,
        max(case when metric = 'pearson' then value end) as pearson
    from published
    where benchmark = 'captionqa' and source = 'paper'
        and item in ('Figure 17', 'Figure 18', 'Figure 19', 'Figure 20', 'Figure 21', 'Figure 22', 'Figure 23')
    group by category
),

long_means as (
    select protocol, reader, provenance, origin, level, ratio_of(accuracy_sum, n_rows) as mean_accuracy_gain
    from sums
    where transition = 'Short to Long'
),

stacked as (
    select
        s.protocol, s.reader, s.provenance, s.origin, s.level, s.transition, s.n_rows,
        ratio_of(s.accuracy_sum, s.n_rows) as mean_accuracy_gain,
        ratio_of(s.score_sum, s.n_rows) as mean_score_gain,
        ratio_of(s.coverage_sum, s.n_coverage) as mean_coverage_gain,
        s.least_gain, s.greatest_gain, s.n_losing, s.n_losing_5, s.n_flat,
        percent_of(ratio_of(s.accuracy_sum, s.n_rows), l.mean_accuracy_gain) as share_of_long,
        correlation_of(s.n_coverage, s.coverage_sum, s.accuracy_covered_sum, s.coverage_squares, s.accuracy_squares, s.products) as pearson
    from sums as s
    left join long_means as l
        on l.protocol = s.protocol and l.reader = s.reader and l.provenance = s.provenance and l.origin = s.origin and l.level = s.level
        and s.transition = 'Short to Simple'
    union all
    select
        'captionqa/upstream' as protocol, paper_reader() as reader, 'published' as provenance, 'published' as origin,
        'category' as level, transition, n_rows, mean_accuracy_gain, null as mean_score_gain, mean_coverage_gain,
        least_gain, greatest_gain, n_losing, n_losing_5, n_flat, share_of_long, pearson
    from stated
)

select
    cast(protocol as varchar) as protocol,
    cast(reader as varchar) as reader,
    cast(provenance as varchar) as provenance,
    cast(origin as varchar) as origin,
    cast(level as varchar) as level,
    cast(transition as varchar) as transition,
    cast(n_rows as bigint) as n_rows,
    cast(mean_accuracy_gain as double) as mean_accuracy_gain,
    cast(mean_score_gain as double) as mean_score_gain,
    cast(mean_coverage_gain as double) as mean_coverage_gain,
    cast(least_gain as double) as least_gain,
    cast(greatest_gain as double) as greatest_gain,
    cast(n_losing as bigint) as n_losing,
    cast(n_losing_5 as bigint) as n_losing_5,
    cast(n_flat as bigint) as n_flat,
    cast(share_of_long as double) as share_of_long,
    cast(pearson as double) as pearson
from stacked;

-- audit: losers_within_rows: no more rows lose than there are
select level, transition, n_rows, n_losing, n_losing_5
from prompt_transition_summary
where n_losing > n_rows or n_losing_5 > n_losing;

-- audit: mean_between_extremes: a mean lies between its least and its greatest part
select level, transition, mean_accuracy_gain, least_gain, greatest_gain
from prompt_transition_summary
where mean_accuracy_gain < least_gain - 0.000001 or mean_accuracy_gain > greatest_gain + 0.000001;
