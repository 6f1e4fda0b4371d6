-- what: how far the metrics of one captioner differ between repetitions of the same judge; at least two repetitions
-- key: [benchmark, judge, captioner, provenance, dimension, metric]
-- source: CAPability Figure 7 and section 4.3
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   judge:
--   captioner: [varchar, model_id whose captions were judged]
--   provenance:
--   dimension: [varchar, "dimension, or average"]
--   metric: [varchar, [precision, recall, f1, hit_rate]]
--   n_repeats: [bigint, count, 2.., repetitions]
--   mean: [double, percent, 0..100, mean over the repetitions]
--   mean_se: [double, points, "standard error of mean, clustered by media file; null for a single file"]
--   lowest: [double, percent, least figure]
--   highest: [double, percent, greatest figure]
--   spread: [double, points, 0..100, "highest less lowest: the fluctuation range of the paper"]
-- intervals:
--   mean: share(size, files); effective files - 1 degrees of freedom, over dimensions Satterthwaite's

with repeated as (
    select *, key_of(benchmark, judge, section, captioner, metric, provenance) as series_id, count(*) over cell as n
    from capability_figures
    where origin = 'judgments' and kind <> 'part' and n_dimensions = n_expected and n_all > 0
    window cell as (partition by benchmark, judge, section, captioner, metric, provenance)
    -- Of the same elements.
    qualify n >= 2 and (bool_and(is_whole) over cell or min(element_set) over cell = max(element_set) over cell)
),

errors as (
    select series_id, case when count(part) = count(*) then sqrt(cast(sum(exact_square(part)) as double)) end as mean_se
    from (
        select series_id, media, cast(sum(exact(part)) as double) / max(n) as part
        from rubric_moves()
        inner join repeated using (condition_id, section, metric)
        group by series_id, media
    )
    group by series_id
)

select
    benchmark, judge, captioner, provenance, section as dimension, metric, count(*) as n_repeats,
    mean_of(figure) as mean,
    max(mean_se) as mean_se, min(figure) as lowest, max(figure) as highest, max(figure) - min(figure) as spread,
    min(case metric when 'precision' then n_hit when 'f1' then (n_all + n_hit) / 2 else n_all end) as size,
    min(effective_files) as files
from repeated
inner join errors using (series_id)
group by benchmark, judge, captioner, provenance, section, metric;
