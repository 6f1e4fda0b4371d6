-- what: every metric of the rubric, one a row, with its interval and counts, computed from judgments and as printed in
--     the papers
-- key: [benchmark, judge, captioner, repeat, provenance, origin, section, metric]
-- source: CAPability Tables 3, 4 and 5, equations 1 to 3; CV-CapBench Tables 2 and 3
-- columns:
--   benchmark: [varchar, [capability, cv-capbench]]
--   judge: [varchar, model_id of the judge; the paper's judge for printed rows]
--   captioner: [varchar, model_id whose captions were judged]
--   captioner_name, repeat, provenance:
--   condition_id: [varchar, "digest of benchmark, judge, origin, captioner, repetition and provenance, as in boards"]
--   origin: [varchar, [judgments, published], "base table that the row comes from: judgments or published"]
--   section: [varchar, "dimension, or the name of an average: average, static, dynamic, or a view"]
--   kind: [varchar, "dimension for a single one, average for all of the paper's tables, part for some of them"]
--   metric: [varchar, [precision, recall, f1, hit_rate]]
--   figure: [double, percent, 0..100, "the metric; of an average, as it is printed, or else over the dimensions
--       present, as the protocol takes it"]
--   n_dimensions: [bigint, count, 1..13, dimensions of the section that are present]
--   n_expected: [bigint, count, 1..13, dimensions of the section]
--   n_annotated: [bigint, count, "elements annotated in the dimensions present; null for printed rows, as all counts"]
--   n_all: [bigint, count, 0.., "elements judged: the denominator of recall and hit rate"]
--   n_hit: [bigint, count, "of them, mentioned in the caption: the denominator of precision"]
--   n_correct: [bigint, count, "of them, stated correctly"]
--   n_unparsed: [bigint, count, elements whose judgment cannot be read; in no denominator]
--   n_failed: [bigint, count, elements that the judge gave no reply about; in no denominator]
--   n_missing: [bigint, count, 0.., annotated elements without any judgment; in no denominator]
--   element_set: [bigint, 0.., "sum over the elements judged of a number made from each: figures with equal ones are
--       about the same elements; null for printed rows"]
--   figure_se: [double, points, "standard error of figure, clustered by media file; null for printed rows and for a
--       single file"]
--   effective_files: [double, count, 1.., effective number of media files; null for printed rows]
--   is_whole: [boolean, "of the elements of each dimension no more than one in a hundred has no verdict, as in the
--       papers' own judgments"]
--   note:
-- intervals:
--   figure: share(elements, effective_files); effective files - 1 degrees of freedom, over dimensions Satterthwaite's

with by_media as (
    select
        condition_of(benchmark, judge, 'judgments', captioner, repeat, provenance) as condition_id, benchmark, judge,
        captioner, repeat,
        provenance, dimension, media, sum(n_positive + n_negative + n_miss) as n_all,
        sum(n_positive + n_negative) as n_hit,
        sum(n_positive) as n_correct, sum(n_unparsed) as n_unparsed, sum(n_failed) as n_failed,
        sum(element_number) filter (where n_positive + n_negative + n_miss > 0) as element_set
    from capability_verdicts
    group by all
),

counted as (
    select
        condition_id, benchmark, judge, captioner, repeat, provenance, 'judgments' as origin, dimension,
        r.n_elements as n_annotated,
        sum(n_all) as n_all, sum(n_hit) as n_hit, sum(n_correct) as n_correct, sum(n_unparsed) as n_unparsed,
        sum(n_failed) as n_failed, sum(element_set) as element_set, sum(n_all) >= 0.99 * max(r.n_elements) as is_whole,
        clusters_of(sum(n_all), sum(n_all * n_all)) as all_clusters,
        clusters_of(sum(n_hit), sum(n_hit * n_hit)) as hit_clusters
    from by_media
    inner join capability_rubric as r using (benchmark, dimension)
    group by all
),

both_origins as (
    select
        * exclude (all_clusters, hit_clusters), rubric_figure('precision', n_all, n_hit, n_correct) as precision_value,
        rubric_figure('recall', n_all, n_hit, n_correct) as recall_value,
        rubric_figure('f1', n_all, n_hit, n_correct) as f1_value,
        rubric_figure('hit_rate', n_all, n_hit, n_correct) as hit_rate_value
    from counted
    union all by name
    select
        benchmark, r.paper_judge as judge, coalesce(nullif(p.model_id, ''), p.model) as captioner, 0 as repeat,
        'published' as provenance,
        'published' as origin, dimension, max(p.model) as printed_name,
        printed_value(p.metric, 'precision', p.value) as precision_value,
        printed_value(p.metric, 'recall', p.value) as recall_value, printed_value(p.metric, 'f1', p.value) as f1_value,
        printed_value(p.metric, 'hit_rate', p.value) as hit_rate_value
    from published as p
    inner join capability_rubric as r using (benchmark)
    where p.category = r.dimension and p.source = 'paper' and p.metric in ('precision', 'recall', 'f1', 'hit_rate')
    group by all
),

averaged as (
    select
        condition_id, benchmark, judge, captioner, repeat, provenance, origin, section, kind, n_expected, f1_of_means,
        max(printed_name) as printed_name, count(*) as n_dimensions,
        sum(n_annotated) as n_annotated, sum(n_all) as n_all, sum(n_hit) as n_hit, sum(n_correct) as n_correct,
        sum(n_unparsed) as n_unparsed, sum(n_failed) as n_failed, sum(element_set) as element_set,
        bool_and(coalesce(is_whole, true)) as is_whole,
        mean_of(precision_value) as precision_mean, mean_of(recall_value) as recall_mean,
        mean_of(f1_value) as f1_mean, mean_of(hit_rate_value) as hit_rate_mean
    from both_origins
    inner join rubric_sections() using (benchmark, dimension)
    where recall_value is not null or kind = 'dimension'
    group by all
),

errors as (
    select condition_id, section, metric,
        case when count(part) = count(*) then sqrt(cast(sum(exact_square(part)) as double)) end as se
    from rubric_moves()
    group by condition_id, section, metric
),

-- The numbers of elements and files behind a metric. If all files of a dimension have equal results, the dimension adds
-- the variance of its own interval to the variance of a mean.
behind as (
    select
        c.condition_id, s.section, metric, sum(elements) as elements, domain_clusters(clusters) as effective_files,
        sum(exact_square(case when se * se <= 1e-14 then share_error(figure, se, elements, clusters) end))
            / (count(*) * count(*)) as filled
    from (
        select condition_id, benchmark, dimension as section, m.*,
            rubric_figure(metric, n_all, n_hit, n_correct) as figure
        from counted
        cross join lateral (values
            ('precision', n_hit, hit_clusters), ('recall', n_all, all_clusters),
            ('f1', (n_all + n_hit) / 2, all_clusters), ('hit_rate', n_all, all_clusters)
        ) as m (metric, elements, clusters)
        where n_all > 0
    ) as c
    inner join errors using (condition_id, section, metric)
    inner join rubric_sections() as s on s.benchmark = c.benchmark and s.dimension = c.section
    group by c.condition_id, s.section, metric
)

select
    benchmark, judge, captioner, model_name(captioner, a.printed_name) as captioner_name, repeat, provenance,
    condition_of(benchmark, judge, origin, captioner, repeat, provenance) as condition_id, origin, section, a.kind,
    metric,
    -- The average F1 is the F1 of the average precision and recall (CV-CapBench Table 2), or the mean of the F1s
    -- (CAPability Table 3).
    coalesce(p.printed, case
        when metric = 'precision' then a.precision_mean when metric = 'recall' then a.recall_mean
        when metric = 'hit_rate' then a.hit_rate_mean when not a.f1_of_means then a.f1_mean
        else coalesce(2 * a.precision_mean * a.recall_mean / nullif(a.precision_mean + a.recall_mean, 0), 0)
    end) as figure, case when a.n_dimensions > 1 then sqrt(se * se + coalesce(filled, 0)) else se end as figure_se,
    a.n_dimensions, a.n_expected, a.n_annotated, a.n_all, a.n_hit, a.n_correct, a.n_unparsed, a.n_failed,
    a.n_annotated - a.n_all - a.n_unparsed - a.n_failed as n_missing, a.element_set, a.is_whole, elements,
    effective_files, case when a.n_annotated - a.n_all > 0.05 * a.n_annotated
        then format('{:.0f}% of the elements have no verdict', percent_of(a.n_annotated - a.n_all, a.n_annotated)) end
            as note
from averaged as a
cross join (values ('precision'), ('recall'), ('f1'), ('hit_rate')) as m (metric)
left join errors using (condition_id, section, metric)
left join behind using (condition_id, section, metric)
left join (
    select
        key_of(benchmark, category, coalesce(nullif(model_id, ''), model), metric, 'published') as printed_id,
        max(value) as printed
    from published
    where source = 'paper' and category = 'average'
    group by all
) as p on p.printed_id = key_of(a.benchmark, a.section, captioner, metric, a.origin);

-- audit: average_within_dimensions: a mean lies between its least and its greatest part
select benchmark, captioner, section, metric, figure, least, greatest
from (
    select
        *, min(figure) filter (where kind = 'dimension') over parts as least,
        max(figure) filter (where kind = 'dimension') over parts as greatest
    from capability_figures
    window parts as (partition by benchmark, judge, captioner, repeat, provenance, origin, metric)
) as f
where benchmark = 'capability' and section = 'average' and (figure < least - 0.000001 or figure > greatest + 0.000001);

-- audit: no_more_than_expected: a section cannot have more dimensions than the rubric gives it
select benchmark, captioner, section, n_dimensions, n_expected
from capability_figures
where n_dimensions > n_expected;

-- audit: interval_has_width: as many elements as there may be, an interval is no point
select benchmark, judge, captioner, section, metric, figure_low, figure_high
from capability_figures
where figure_low >= figure_high;
