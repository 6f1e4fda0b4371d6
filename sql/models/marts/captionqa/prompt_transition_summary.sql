-- what: "summary of a change of the caption prompt: mean gains, the number of categories that lose, and the correlation
--     of coverage and accuracy"
-- key: [protocol, reader, provenance, origin, level, transition]
-- source: "CaptionQA sections 14.1 to 14.4: means over categories, number of losers, Pearson r 0.905, 0.902, 0.837 and
--     0.966"
-- columns:
--   change_id, protocol, reader, provenance, origin:
--   level: [varchar, [category, domain], "what the means are over: category or domain; of printed figures, domain is
--       computed from the paper's tables and category is stated in its text"]
--   transition: [varchar, change of the prompt]
--   n_rows: [bigint, count, 1.., "categories or domains; null, as any other number, where the text does not state it"]
--   n_images: [bigint, count, images; null for printed rows]
--   mean_accuracy_gain: [double, points, "mean accuracy gain, each row with the same weight"]
--   mean_accuracy_gain_se: [double, points, "standard error of mean_accuracy_gain, paired and clustered by image: an
--       image's questions lie in several categories, and move all of their means; null for printed rows and where a row
--       of the mean has a single image"]
--   mean_score_gain: [double, points, mean score gain]
--   mean_coverage_gain: [double, points, "mean coverage gain: the drop of the cannot rate among all questions, which
--       Figures 20 to 23 draw; null for rows computed from printed tables"]
--   least_gain: [double, points, smallest accuracy gain]
--   greatest_gain: [double, points, greatest accuracy gain]
--   n_losing: [bigint, count, 0.., rows whose accuracy falls]
--   n_losing_5: [bigint, count, rows whose accuracy falls by more than 5 points]
--   n_flat: [bigint, count, rows whose accuracy changes by less than 2 points]
--   share_of_long: [double, percent, mean gain from Short to Simple as a share of that from Short to Long; null on
--       other transitions]
--   share_of_long_se: [double, percent, "standard error by the delta method, clustered by image: both means come from
--       the same images; null as the other errors are, and where Long gains less than 0.001 points"]
--   pearson: [double, correlation, -1.000000001..1.000000001, "Pearson r of coverage gain and accuracy gain over the
--       rows; null below two rows, without variation and for rows computed from printed tables"]
--   mean_coverage_offered_gain: [double, points, "mean coverage gain among the questions that offer the cannot option,
--       over the rows that have such questions: the drop of the rate of Tables 11 to 26"]
--   pearson_offered: [double, correlation, -1.000000001..1.000000001, Pearson r of that gain and the accuracy gain;
--       null below two rows or without variation]
-- intervals:
--   mean_accuracy_gain, mean_score_gain, mean_coverage_gain, share_of_long: t(freedom + 1)
--   pearson: fisher(n_pearson); it takes the rows for independent draws of categories or domains,
--       and so covers which of them there are,
--       but neither the images of each nor the captioners; null below four rows and for printed rows
--   mean_coverage_offered_gain: t(offered_freedom + 1)
--   pearson_offered: fisher(n_pearson_offered); as of pearson

with gains as (
    select
        change_id, protocol, reader, provenance, origin, level, transition, count(*) as n_rows,
        min(n_images) as least_images,
        mean_of(accuracy_gain) as accuracy, mean_of(score_gain) as score, mean_of(coverage_gain) as coverage,
        mean_of(coverage_offered_gain) as offered, count(coverage_gain) as n_coverage,
        count(coverage_offered_gain) as n_offered,
        pearson_of(coverage_gain, accuracy_gain) as pearson,
        pearson_of(coverage_offered_gain, accuracy_gain) as pearson_offered,
        min(accuracy_gain) as least_gain, max(accuracy_gain) as greatest_gain,
        count(*) filter (where accuracy_gain < 0) as n_losing, count(*) filter (where accuracy_gain < -5) as n_losing_5,
        count(*) filter (where abs(accuracy_gain) < 2) as n_flat
    from prompt_transitions
    where level <> 'overall'
    group by all
),

-- Beside Short to Simple, the gain from Short to Long.
beside as (
    select
        *, case transition when 'Short to Simple' then max(case transition when 'Short to Long' then accuracy end)
            over reading
            end as long_gain,
        max(case transition when 'Short to Long' then n_rows end) over reading as long_rows,
        min(case when transition in ('Short to Simple', 'Short to Long') then least_images end)
            over reading as share_images
    from gains
    window reading as (partition by protocol, reader, provenance, origin, level)
),

-- The effect of an image on the sum of the gains over the rows is the sum of its effects on each gain. The categories
-- of a domain share their images, so that their errors cannot be added as if they were independent.
moves as (
    select
        change_id, protocol, reader, provenance, level, transition, domain, image_id, sum(n_from) as n,
        sum(offered_from) as n_offered, cast(sum(exact(accuracy_to_part - accuracy_from_part)) as double) as accuracy,
        cast(sum(exact(score_to_part - score_from_part)) as double) as score,
        cast(sum(exact(coverage_to_part - coverage_from_part)) as double) as coverage,
        cast(sum(exact(coverage_offered_to_part - coverage_offered_from_part)) as double) as offered
    from prompt_transition_images
    group by all
),

strata as (
    select
        change_id, level, domain, count(*) as n_images,
        clusters_of(sum(n), sum(n * n)) - 1 as freedom,
        clusters_of(sum(n_offered), sum(n_offered * n_offered)) - 1 as offered_freedom,
        parts_variance(sum(exact_square(accuracy)), count(*)) as accuracy,
        parts_variance(sum(exact_square(score)), count(*)) as score,
        parts_variance(sum(exact_square(coverage)), count(*)) as coverage,
        parts_variance(sum(exact_square(offered)), count(*) filter (where n_offered > 0)) as offered
    from moves
    group by change_id, level, domain
),

-- The domains share no images (audit one_domain of captionqa_images): their variances are added.
errors as (
    select
        change_id, level, sum(n_images) as n_images,
        domain_clusters(freedom + 1) - 1 as freedom, domain_clusters(offered_freedom + 1) - 1 as offered_freedom,
        sqrt(cast(sum(accuracy) as double)) as accuracy_error, sqrt(cast(sum(score) as double)) as score_error,
        sqrt(cast(sum(coverage) as double)) as coverage_error, sqrt(cast(sum(offered) as double)) as offered_error
    from strata
    group by change_id, level
),

long_moves as (
    select
        key_of(protocol, reader, 'answers', '', 'Short to Simple', provenance) as change_id, level, domain, image_id,
        sum(case transition when 'Short to Simple' then accuracy else 0 end) as simple_part,
        sum(case transition when 'Short to Long' then accuracy else 0 end) as long_part
    from moves
    where transition in ('Short to Simple', 'Short to Long')
    group by all
),

long_strata as (
    select
        change_id, level, parts_variance(sum(exact_square(simple_part)), count(*)) as simple_variance,
        parts_variance(sum(exact_product(simple_part, long_part)), count(*)) as covariance,
        parts_variance(sum(exact_square(long_part)), count(*)) as long_variance
    from long_moves
    group by change_id, level, domain
),

covariances as (
    select
        change_id, level, sum(simple_variance) as simple_variance, sum(covariance) as covariance,
        sum(long_variance) as long_variance
    from long_strata
    group by change_id, level
),

stated as (
    select
        key_of(paper_protocol(), paper_reader(), 'published', '', category, 'published') as change_id,
        paper_protocol() as protocol,
        paper_reader() as reader, 'published' as provenance, 'published' as origin, 'category' as level,
        category as transition, printed_value(metric, 'categories', value) as n_rows,
        -- Figure 18 prints 0.35 what Figure 22 rounds to 0.4.
        arg_max(case when metric = 'mean_accuracy_gain' then value end, decimals) as mean_accuracy_gain,
        printed_value(metric, 'mean_coverage_gain', value) as mean_coverage_gain,
        printed_value(metric, 'least_gain', value) as least_gain,
        printed_value(metric, 'greatest_gain', value) as greatest_gain,
        printed_value(metric, 'losing_categories', value) as n_losing,
        printed_value(metric, 'losing_categories_5', value) as n_losing_5,
        printed_value(metric, 'flat_categories', value) as n_flat,
        printed_value(metric, 'share_of_long', value) as share_of_long,
        printed_value(metric, 'pearson', value) as pearson
    from published
    where benchmark = 'captionqa' and source = 'paper' and prompt = ''
        and item in ('Figure 17', 'Figure 18', 'Figure 19', 'Figure 20', 'Figure 21', 'Figure 22', 'Figure 23')
    group by category
)

select
    change_id, protocol, reader, provenance, origin, level, transition, n_rows, n_images,
    accuracy as mean_accuracy_gain,
    case when least_images >= 2 then accuracy_error / n_rows end as mean_accuracy_gain_se,
    score as mean_score_gain, case when least_images >= 2 then score_error / n_rows end as mean_score_gain_se,
    coverage as mean_coverage_gain,
    case when least_images >= 2 then coverage_error / n_coverage end as mean_coverage_gain_se,
    least_gain, greatest_gain, n_losing, n_losing_5, n_flat, percent_of(accuracy, long_gain) as share_of_long,
    -- The share of a gain below a thousandth of a point is not computed.
    case when share_images >= 2 and abs(long_gain) >= 0.001 then quotient_error(
        n_rows * accuracy, long_rows * long_gain, simple_variance, covariance, long_variance) * long_rows / n_rows end
            as share_of_long_se,
    pearson, offered as mean_coverage_offered_gain,
    case when least_images >= 2 then offered_error / n_offered end as mean_coverage_offered_gain_se, pearson_offered,
    freedom, offered_freedom,
    case origin when 'answers' then n_coverage end as n_pearson,
        case origin when 'answers' then n_offered end as n_pearson_offered
from beside
left join errors using (change_id, level)
left join covariances using (change_id, level)
union all by name
select *
from stated;

-- audit: losers_within_rows: no more rows lose than there are
select level, transition, n_rows, n_losing, n_losing_5
from prompt_transition_summary
where n_losing > n_rows or n_losing_5 > n_losing;

-- audit: mean_between_extremes: a mean lies between its least and its greatest part
select level, transition, mean_accuracy_gain, least_gain, greatest_gain
from prompt_transition_summary
where mean_accuracy_gain < least_gain - 0.000001 or mean_accuracy_gain > greatest_gain + 0.000001;

-- audit: one_error: the mean of the four domains is the overall gain of prompt_transitions, with its error
select s.protocol, s.reader, s.provenance, s.transition, s.mean_accuracy_gain, t.accuracy_gain, s.mean_accuracy_gain_se,
    t.accuracy_gain_se
from prompt_transition_summary as s
inner join prompt_transitions as t
    on t.change_id = key_of(s.protocol, s.reader, s.origin, '', s.transition, s.provenance)
where t.level = 'overall' and s.level = 'domain' and s.origin = 'answers' and s.n_rows = 4
    and (abs(s.mean_accuracy_gain - t.accuracy_gain) > 0.000001 or abs(s.mean_accuracy_gain_se - t.accuracy_gain_se)
        > 0.000001
        or abs(s.mean_coverage_gain_se - t.coverage_gain_se) > 0.000001)
    -- A domain in which all images gain the same has an error in prompt_transitions, but no error here.
    and t.change_id not in (select change_id from prompt_transitions where level = 'domain' and least(accuracy_gain_se,
        coverage_gain_se) < 1e-7);
