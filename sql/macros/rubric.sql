-- The effect of each media file on the metrics of the rubric, in percent: precision, recall, F1 and hit rate of each
-- dimension and of the means of dimensions. All are ratios of sums over files, so the effect of a file follows to first
-- order; it includes the dimension's correction for its number of files. The squared error of a metric is the sum of
-- the squared effects. It is null for a dimension of one file.
create or replace temp macro rubric_moves(verdicts := 'capability_verdicts') as table
    with files as (
        select
            condition_of(benchmark, judge, 'judgments', captioner, repeat, provenance) as condition_id, benchmark,
            dimension, media,
            sum(n_positive + n_negative + n_miss) as n_all, sum(n_positive + n_negative) as n_hit,
            sum(n_positive) as n_correct
        from query_table(verdicts)
        group by all
        having sum(n_positive + n_negative + n_miss) > 0
    ),
    dimensions as (
        select
            condition_id, dimension, sum(n_all) as whole, sum(n_hit) as hit, sum(n_correct) as correct,
            sqrt(count(*) / nullif(count(*) - 1, 0)) as correction
        from files
        group by condition_id, dimension
    ),
    parts as (
        select
            condition_id, section, media, f1_of_means, dimension, whole, hit, correct,
            coalesce(share_part(n_correct, n_hit, correct, hit), 0) * correction as precision,
            share_part(n_correct, n_all, correct, whole) * correction as recall,
            share_part(2 * n_correct, n_all + n_hit, 2 * correct, whole + hit) * correction as f1,
            share_part(n_hit, n_all, hit, whole) * correction as hit_rate
        from files
        inner join dimensions using (condition_id, dimension)
        inner join rubric_sections() using (benchmark, dimension)
    ),
    means as (
        select
            condition_id, section, count(*) as n, mean_of(rubric_figure('precision', whole, hit, correct)) as p,
            mean_of(rubric_figure('recall', whole, hit, correct)) as r
        from (select distinct condition_id, section, dimension, whole, hit, correct from parts)
        group by condition_id, section
    ),
    moved as (
        select
            condition_id, section, media, bool_or(f1_of_means) as f1_of_means, sum(precision) as precision,
            sum(recall) as recall, sum(f1) as f1, sum(hit_rate) as hit_rate
        from parts
        group by condition_id, section, media
    )
    select condition_id, section, media, f.metric, f.part / n as part
    from moved
    inner join means using (condition_id, section)
    cross join lateral (values
        ('precision', precision), ('recall', recall), ('hit_rate', hit_rate),
        ('f1', case when f1_of_means
            then coalesce(2 * (r * r * precision + p * p * recall) / nullif(pow(p + r, 2), 0), 0) else f1 end)
    ) as f (metric, part);
