-- what: "how far two judges agree on the same captioners: the mean difference of their metrics and the rank correlation
--     of the captioners; repetitions are averaged"
-- key: [benchmark, provenance, judge, other, dimension, metric]
-- source: CAPability Figure A1 and appendix A.2
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   provenance:
--   judge: [varchar, "model_id of one judge, the earlier by name"]
--   other: [varchar, model_id of the other]
--   dimension: [varchar, "dimension, or average"]
--   metric: [varchar, [precision, recall, f1, hit_rate]]
--   n_captioners: [bigint, count, 1.., captioners that both judged]
--   difference: [double, points, -100..100, mean over the captioners of the figure by judge less that by other]
--   difference_se: [double, points, "standard error of difference, paired and clustered by media file; null for a
--       single file"]
--   spearman: [double, correlation, -1..1, "rank correlation of the captioners' figures, ties at their mean rank; null
--       for fewer than three captioners or when all are tied"]
-- intervals:
--   difference: difference(figure_a, figure_b, size, files); effective files - 1 degrees of freedom,
--       over dimensions Satterthwaite's
--   spearman: fisher(n_captioners)

-- Repetitions are averaged.
with judged as (
    select
        key_of(benchmark, section, metric, captioner, provenance) as compared_id, benchmark, provenance, judge,
        captioner,
        section, metric, mean_of(figure) as figure, bool_and(is_whole) as is_whole, min(effective_files) as files,
        list(condition_id) as condition_ids,
        case when min(element_set) = max(element_set) then max(element_set) end as element_set,
        min(case metric when 'precision' then n_hit when 'f1' then (n_all + n_hit) / 2 else n_all end) as size
    from capability_figures
    where origin = 'judgments' and kind <> 'part' and n_dimensions = n_expected and n_all > 0
    group by all
),

-- Two judges are compared on the same elements.
both_judges as (
    select
        a.compared_id, a.benchmark, a.provenance, a.judge, b.judge as other, a.section, a.metric,
        key_of(a.benchmark, a.section, a.metric, a.judge, b.judge, a.provenance) as judges_id,
        a.figure as figure_a, b.figure as figure_b, a.condition_ids as ids_a, b.condition_ids as ids_b,
        least(a.files, b.files) as files, least(a.size, b.size) as size,
        count(*) over (partition by a.benchmark, a.provenance, a.judge, b.judge, a.section, a.metric) as n_captioners
    from judged as a
    inner join judged as b using (compared_id)
    where a.judge < b.judge and (a.is_whole and b.is_whole or a.element_set = b.element_set)
),

errors as (
    select judges_id, case when count(part) = count(*) then sqrt(cast(sum(exact_square(part)) as double)) end
        as difference_se
    from (
        select judges_id, media, cast(sum(exact(part * weight)) as double) as part
        from rubric_moves() as m
        inner join (
            select judges_id, section, metric, unnest(ids_a) as condition_id, 1.0 / len(ids_a) / n_captioners as weight
                from both_judges
            union all
            select judges_id, section, metric, unnest(ids_b), -1.0 / len(ids_b) / n_captioners from both_judges
        ) as c using (condition_id, section, metric)
        group by judges_id, media
    )
    group by judges_id
)

select
    benchmark, provenance, judge, other, section as dimension, metric, max(n_captioners) as n_captioners,
    mean_of(figure_a) - mean_of(figure_b) as difference, max(difference_se) as difference_se,
    spearman(list(figure_a), list(figure_b)) as spearman, mean_of(figure_a) as figure_a, mean_of(figure_b) as figure_b,
    min(files) as files, min(size) as size
from both_judges
inner join errors using (judges_id)
group by benchmark, provenance, judge, other, section, metric;
