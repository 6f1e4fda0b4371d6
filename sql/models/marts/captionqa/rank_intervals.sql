-- what: the places that each captioner of a board may have, by the 95% intervals of its differences to all others;
--     QA-on-caption, domains with at least two images
-- key: [board_id, condition_id, metric]
-- source: "Klein, Wright and Wieczorek (2020), Mogstad and others (2024): places from comparisons two by two; beyond
--     the paper. No provenance: the board has it"
-- columns:
--   board_id, condition_id, metric:
--   n_better: [bigint, count, 0.., captioners of the board that are better by an interval without 0]
--   n_worse: [bigint, count, 0.., captioners of the board that are worse by such an interval]

-- The rows of a board that are not printed have answers to the same questions. The counts of better and of not worse
-- captioners bound the places, however close the captioners are. Bootstrap samples of the images would rank them with
-- too much certainty: an estimate that is too high by chance is too high in most samples.
with ranked as (
    select b.board_id, b.condition_id, b.section
    from boards as b
    semi join (
        select condition_id, domain as section from captionqa_scores where origin = 'answers'
            and level in ('overall', 'domain')
            and score is not null
    ) as v using (condition_id, section)
    where b.benchmark = 'captionqa' and b.origin = 'answers' and not b.is_replaced
),

-- Each captioner is also paired with itself, so that a captioner that is alone on its board has a row.
beside as (
    select a.board_id, a.section, a.condition_id as a_id, b.condition_id as b_id
    from ranked as a
    inner join ranked as b using (board_id)
),

sides as (
    select distinct a_id, b_id from beside
),

domains as (
    select * from paired_captions('sides')
),

compared as (
    select
        board_id, b.a_id, b.b_id, metric, domain_mean(mean_a, n_domains) as a, domain_mean(mean_b, n_domains) as b,
        domain_error(se, difference_error(mean_a, mean_b, se, n_both, clusters), n_domains) as se, sum(n_both) as n,
        domain_clusters(clusters) as clusters
    from beside as b
    inner join sections as s on s.condition_id = b.a_id and s.section = b.section
    inner join domains as d on d.a_id = b.a_id and d.b_id = b.b_id and d.domain = s.domain
    group by board_id, b.a_id, b.b_id, metric
)

select
    board_id, a_id as condition_id, metric,
    count(*) filter (where difference_high(a, b, se, n, clusters) < -1e-12) as n_better,
    count(*) filter (where difference_low(a, b, se, n, clusters) > 1e-12) as n_worse
from compared
group by board_id, a_id, metric
having bool_and(se is not null);
