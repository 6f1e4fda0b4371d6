-- model: prompt_transition_summary
-- what: "a change of the caption prompt in a few numbers: mean gains, how many categories lose, and how coverage and accuracy go together"
-- grain: one row per protocol, reader, provenance, origin, level and transition
-- key: [protocol, reader, provenance, origin, level, transition]
-- inputs: [prompt_transitions, prompt_transition_images, published]
-- source: "CaptionQA sections 14.1 to 14.4: means over categories, number of losers, Pearson r 0.905, 0.902, 0.837 and 0.966"
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the model that answered]
--   provenance: [varchar, "published, measured or simulated"]
--   origin: [varchar, [answers, published], "base table that the figures come from: answers or published"]
--   level: [varchar, [category, domain], "what the means are over: category or domain; of printed figures, domain is computed from the
--       paper's tables and category is stated in its text"]
--   transition: [varchar, change of the prompt]
--   n_rows: [bigint, count, 1.., "categories or domains; null, as any other number, where the text does not state it"]
--   n_images: [bigint, count, images; null for printed rows]
--   mean_accuracy_gain: [double, points, "mean accuracy gain, each row with the same weight"]
--   mean_accuracy_gain_se: [double, points, "standard error of mean_accuracy_gain, paired and clustered by image: an image's questions lie
--       in several categories, and move all of their means; null for printed rows and where a row of the mean has a single image"]
--   mean_score_gain: [double, points, mean score gain]
--   mean_score_gain_se: [double, points, "standard error of mean_score_gain, in the same way"]
--   mean_coverage_gain: [double, points, "mean coverage gain: the drop of the cannot rate among all questions, which Figures 20 to 23 draw;
--       null for rows computed from printed tables"]
--   mean_coverage_gain_se: [double, points, "standard error of mean_coverage_gain, in the same way"]
--   least_gain: [double, points, smallest accuracy gain]
--   greatest_gain: [double, points, greatest accuracy gain]
--   n_losing: [bigint, count, 0.., rows whose accuracy falls]
--   n_losing_5: [bigint, count, rows whose accuracy falls by more than 5 points]
--   n_flat: [bigint, count, rows whose accuracy changes by less than 2 points]
--   share_of_long: [double, percent, mean gain from Short to Simple as a share of that from Short to Long; null on other transitions]
--   share_of_long_se: [double, percent, "standard error by the delta method, clustered by image: both means come from the same images; null
--       as the other errors are, and where Long gains less than 0.001 points"]
--   pearson: [double, correlation, -1.000000001..1.000000001, "Pearson r of coverage gain and accuracy gain over the rows; null below two
--       rows, without variation and for rows computed from printed tables"]
--   mean_coverage_offered_gain: [double, points, "mean coverage gain among the questions that offer the cannot option, over the rows that
--       have such questions: the drop of the rate of Tables 11 to 26"]
--   mean_coverage_offered_gain_se: [double, points, "standard error of mean_coverage_offered_gain, in the same way"]
--   pearson_offered: [double, correlation, -1.000000001..1.000000001, Pearson r of that gain and the accuracy gain; null below two rows or
--       without variation]
-- intervals:
--   mean_accuracy_gain, mean_score_gain, mean_coverage_gain, share_of_long: t(freedom + 1); effective images - domains degrees of freedom
--   pearson: fisher(n_pearson); it takes the rows for independent draws of categories or domains, and so covers which of them there are,
--       but neither the images of each nor the captioners; null below four rows and for printed rows
--   mean_coverage_offered_gain: t(offered_freedom + 1); effective images - domains degrees of freedom
--   pearson_offered: fisher(n_pearson_offered); as of pearson

with gains as (
    select protocol, reader, provenance, origin, level, transition, n_images, accuracy_gain, score_gain, coverage_gain,
        coverage_offered_gain
    from prompt_transitions
    where level <> 'overall'
),

parts as (
    select
        protocol, reader, provenance, level, transition, domain, category, image_id, n_from, offered_from,
        accuracy_to_part - accuracy_from_part as accuracy_part,
        score_to_part - score_from_part as score_part,
        coverage_to_part - coverage_from_part as coverage_part,
        coverage_offered_to_part - coverage_offered_from_part as offered_part
    from prompt_transition_images
),

sums as (
    select
        protocol, reader, provenance, origin, level, transition,
        count(*) as n_rows,
        count(coverage_gain) as n_coverage,
        count(coverage_offered_gain) as n_offered,
        min(n_images) as least_images,
        sum(exact(accuracy_gain)) as accuracy_sum,
        sum(exact(score_gain)) as score_sum,
        sum(exact(coverage_gain)) as coverage_sum,
        sum(case when coverage_gain is not null then exact(accuracy_gain) end) as accuracy_covered_sum,
        sum(exact_square(coverage_gain)) as coverage_squares,
        sum(case when coverage_gain is not null then exact_square(accuracy_gain) end) as accuracy_squares,
        sum(exact_product(coverage_gain, accuracy_gain)) as products,
        sum(exact(coverage_offered_gain)) as offered_sum,
        sum(case when coverage_offered_gain is not null then exact(accuracy_gain) end) as accuracy_offered_sum,
        sum(exact_square(coverage_offered_gain)) as offered_squares,
        sum(case when coverage_offered_gain is not null then exact_square(accuracy_gain) end) as accuracy_offered_squares,
        sum(exact_product(coverage_offered_gain, accuracy_gain)) as offered_products,
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
        -- Figure 18 prints 0.35 what Figure 22 rounds to 0.4.
        arg_max(case when metric = 'mean_accuracy_gain' then value end, decimals) as mean_accuracy_gain,
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
    select protocol, reader, provenance, origin, level, n_rows, least_images, ratio_of(accuracy_sum, n_rows) as mean_accuracy_gain
    from sums
    where transition = 'Short to Long'
),

-- What an image moves the sum of the gains over the rows: the sum of what it moves each of them. The categories of a
-- domain share their images, so that their errors cannot be added as if they were independent.
image_parts as (
    select
        protocol, reader, provenance, level, transition, domain, image_id,
        sum(n_from) as n, sum(offered_from) as n_offered,
        sum(exact(accuracy_part)) as accuracy_part, sum(exact(score_part)) as score_part,
        sum(exact(coverage_part)) as coverage_part, sum(exact(offered_part)) as offered_part
    from parts
    group by protocol, reader, provenance, level, transition, domain, image_id
),

-- The domains share no images (audit one_domain of captionqa_image_sums): their variances are added.
strata as (
    select
        protocol, reader, provenance, level, transition, domain,
        count(*) as n_images, count(offered_part) as n_offered_images,
        clusters_of(sum(n), sum(n * n)) - 1 as freedom, clusters_of(sum(n_offered), sum(n_offered * n_offered)) - 1 as offered_freedom,
        sum(exact_square(cast(accuracy_part as double))) as accuracy_squares,
        sum(exact_square(cast(score_part as double))) as score_squares,
        sum(exact_square(cast(coverage_part as double))) as coverage_squares,
        sum(exact_square(cast(offered_part as double))) as offered_squares
    from image_parts
    group by protocol, reader, provenance, level, transition, domain
),

errors as (
    select
        protocol, reader, provenance, 'answers' as origin, level, transition,
        sum(n_images) as n_images,
        cast(sum(exact_mean(freedom)) as double) as freedom, cast(sum(exact_mean(offered_freedom)) as double) as offered_freedom,
        sqrt(cast(sum(parts_variance(accuracy_squares, n_images)) as double)) as accuracy_se,
        sqrt(cast(sum(parts_variance(score_squares, n_images)) as double)) as score_se,
        sqrt(cast(sum(parts_variance(coverage_squares, n_images)) as double)) as coverage_se,
        sqrt(cast(sum(parts_variance(offered_squares, n_offered_images)) as double)) as offered_se
    from strata
    group by protocol, reader, provenance, level, transition
),

-- The ratio a / b of two means moves by (da - a / b * db) / b. Of a gain below a thousandth of a point no share can be told.
share_images as (
    select
        i.protocol, i.reader, i.provenance, i.level, i.domain, i.image_id,
        sum(case when i.transition = 'Short to Simple' then exact(cast(i.accuracy_part as double) / s.n_rows) end) as simple_part,
        sum(case when i.transition = 'Short to Long' then exact(cast(i.accuracy_part as double) / s.n_rows) end) as long_part
    from image_parts as i
    inner join sums as s
        on s.origin = 'answers' and s.protocol = i.protocol and s.reader = i.reader and s.provenance = i.provenance
        and s.level = i.level and s.transition = i.transition
    where i.transition in ('Short to Simple', 'Short to Long')
    group by i.protocol, i.reader, i.provenance, i.level, i.domain, i.image_id
),

share_strata as (
    select
        i.protocol, i.reader, i.provenance, i.level, i.domain,
        count(*) as n_images,
        sum(exact_square(100 * (
            cast(coalesce(i.simple_part, 0) as double)
            - ratio_of(s.accuracy_sum, s.n_rows) / nullif(l.mean_accuracy_gain, 0) * cast(coalesce(i.long_part, 0) as double)
        ) / nullif(l.mean_accuracy_gain, 0))) as squares
    from share_images as i
    inner join sums as s
        on s.origin = 'answers' and s.transition = 'Short to Simple' and s.protocol = i.protocol and s.reader = i.reader
        and s.provenance = i.provenance and s.level = i.level and s.least_images >= 2
    inner join long_means as l
        on l.origin = 'answers' and l.protocol = i.protocol and l.reader = i.reader and l.provenance = i.provenance
        and l.level = i.level and l.least_images >= 2 and abs(l.mean_accuracy_gain) >= 0.001
    group by i.protocol, i.reader, i.provenance, i.level, i.domain
),

share_errors as (
    select
        protocol, reader, provenance, level,
        sqrt(cast(sum(parts_variance(squares, n_images)) as double)) as se
    from share_strata
    group by protocol, reader, provenance, level
),

stacked as (
    select
        s.protocol, s.reader, s.provenance, s.origin, s.level, s.transition, s.n_rows,
        ratio_of(s.accuracy_sum, s.n_rows) as mean_accuracy_gain,
        ratio_of(s.score_sum, s.n_rows) as mean_score_gain,
        ratio_of(s.coverage_sum, s.n_coverage) as mean_coverage_gain,
        ratio_of(s.offered_sum, s.n_offered) as mean_coverage_offered_gain,
        s.least_gain, s.greatest_gain, s.n_losing, s.n_losing_5, s.n_flat,
        percent_of(ratio_of(s.accuracy_sum, s.n_rows), l.mean_accuracy_gain) as share_of_long,
        correlation_of(nullif(s.n_coverage, 0), s.coverage_sum, s.accuracy_covered_sum, s.coverage_squares, s.accuracy_squares,
            s.products) as pearson,
        correlation_of(nullif(s.n_offered, 0), s.offered_sum, s.accuracy_offered_sum, s.offered_squares, s.accuracy_offered_squares,
            s.offered_products)
            as pearson_offered,
        case when s.origin = 'answers' then s.n_coverage end as n_pearson,
        case when s.origin = 'answers' then s.n_offered end as n_pearson_offered,
        e.n_images,
        e.freedom, e.offered_freedom,
        case when s.least_images >= 2 then e.accuracy_se / s.n_rows end as accuracy_se,
        case when s.least_images >= 2 then e.score_se / s.n_rows end as score_se,
        case when s.least_images >= 2 then e.coverage_se / nullif(s.n_coverage, 0) end as coverage_se,
        case when s.least_images >= 2 then e.offered_se / nullif(s.n_offered, 0) end as offered_se,
        x.se as share_se
    from sums as s
    left join long_means as l
        on l.protocol = s.protocol and l.reader = s.reader and l.provenance = s.provenance and l.origin = s.origin and l.level = s.level
        and s.transition = 'Short to Simple'
    left join errors as e
        on e.protocol = s.protocol and e.reader = s.reader and e.provenance = s.provenance and e.origin = s.origin
        and e.level = s.level and e.transition = s.transition
    left join share_errors as x
        on s.transition = 'Short to Simple' and s.origin = 'answers' and x.protocol = s.protocol and x.reader = s.reader
        and x.provenance = s.provenance and x.level = s.level
    union all
    select
        'captionqa/upstream' as protocol, paper_reader() as reader, 'published' as provenance, 'published' as origin,
        'category' as level, transition, n_rows, mean_accuracy_gain, null as mean_score_gain, mean_coverage_gain,
        null as mean_coverage_offered_gain, least_gain, greatest_gain, n_losing, n_losing_5, n_flat, share_of_long, pearson,
            null as pearson_offered,
        null as n_pearson, null as n_pearson_offered, null as n_images, null as freedom, null as offered_freedom,
        null as accuracy_se, null as score_se, null as coverage_se, null as offered_se, null as share_se
    from stated
)

select
    s.protocol, s.reader, s.provenance, s.origin, s.level, s.transition, s.n_rows, s.n_images, s.mean_accuracy_gain,
    s.accuracy_se as mean_accuracy_gain_se,
    s.mean_score_gain,
    s.score_se as mean_score_gain_se,
    s.mean_coverage_gain,
    s.coverage_se as mean_coverage_gain_se,
    s.least_gain, s.greatest_gain, s.n_losing, s.n_losing_5, s.n_flat, s.share_of_long,
    s.share_se as share_of_long_se,
    s.pearson, s.mean_coverage_offered_gain,
    s.offered_se as mean_coverage_offered_gain_se,
    s.pearson_offered, s.freedom, s.n_pearson, s.offered_freedom, s.n_pearson_offered
from stacked as s;

-- audit: losers_within_rows: no more rows lose than there are
select level, transition, n_rows, n_losing, n_losing_5
from prompt_transition_summary
where n_losing > n_rows or n_losing_5 > n_losing;

-- audit: mean_between_extremes: a mean lies between its least and its greatest part
select level, transition, mean_accuracy_gain, least_gain, greatest_gain
from prompt_transition_summary
where mean_accuracy_gain < least_gain - 0.000001 or mean_accuracy_gain > greatest_gain + 0.000001;

-- audit: one_error: the mean over the four domains is the overall gain of prompt_transitions, and its error that of the gain
select s.protocol, s.reader, s.provenance, s.transition, s.mean_accuracy_gain, t.accuracy_gain, s.mean_accuracy_gain_se, t.accuracy_gain_se
from prompt_transition_summary as s
inner join prompt_transitions as t
    on t.level = 'overall' and t.protocol = s.protocol and t.reader = s.reader and t.provenance = s.provenance
    and t.origin = s.origin and t.transition = s.transition
where s.level = 'domain' and s.origin = 'answers' and s.n_rows = 4
    and (abs(s.mean_accuracy_gain - t.accuracy_gain) > 0.000001 or abs(s.mean_accuracy_gain_se - t.accuracy_gain_se) > 0.000001
        or abs(s.mean_coverage_gain_se - t.coverage_gain_se) > 0.000001);
