-- what: how far each captioner is behind the best one, on the questions that both have answers to, paired by image;
--     QA-on-caption only
-- key: [condition_id, domain, metric]
-- source: "CaptionQA Tables 3 and 11 to 26: their order; paired differences are beyond the paper"
-- columns:
--   condition_id, protocol, reader, prompt, provenance, captioner, captioner_name, board:
--   domain: [varchar, "domain, or the section that a mean of domains is over, such as Overall"]
--   metric:
--   best: [varchar, "id of the captioner with the highest value on the board, the first by id if several are equal; if
--       a captioner is alone on its board, the best captioner of the board with most captioners that were asked in the
--       same way"]
--   best_name: [varchar, name of the best captioner to show to people]
--   same_board: [boolean, the two are on one board]
--   value: [double, percent, 0..105, "mean of the captioner over the questions that both have answers to; null
--       without such questions, as all
--       that is made of it"]
--   best_value: [double, percent, 0..105, mean of the best captioner over the same questions]
--   difference: [double, points, -105..105, "value less best_value: below 0 behind the best; above 0 only where the
--       best owes its place to
--       questions that the captioner has no answers to"]
--   n_images: [bigint, count, 0.., images with such questions]
--   n_answers: [bigint, count, 0.., "answers to them from the captioner's captions, whole repetitions included"]
--   note:
-- intervals:
--   difference: difference(value, best_value, n_answers, clusters)

with ranked as (
    select
        *, key_of(protocol, reader, domain, metric, prompt, provenance) as asked_id,
        first_value(condition_id) over (partition by board_id, metric order by exact(value) desc nulls last, captioner)
            as best_here
    from captionqa_ranks
    where origin = 'answers' and value is not null
),

compared as (
    select
        r.condition_id, r.board, r.domain as section, r.metric,
        case when r.best_here = r.condition_id and r.n_models < 2 then f.best_here else r.best_here end as best_id,
        r.n_models > 1 as same_board
    from ranked as r
    left join (select distinct asked_id, best_here from ranked where is_first) as f using (asked_id)
),

sides as (
    select distinct condition_id as a_id, best_id as b_id
    from compared
    where best_id <> condition_id
),

domains as (
    select * from paired_captions('sides')
),

-- The domains share no images (audit one_domain of captionqa_images): their variances are added.
sectioned as (
    select
        c.condition_id, c.best_id, c.section, c.metric, c.board, c.same_board, domain_mean(mean_a, n_domains) as value,
        domain_mean(mean_b, n_domains) as best_value,
        domain_error(se, difference_error(mean_a, mean_b, se, n_answers, clusters), n_domains) as difference_se,
        domain_clusters(clusters) as clusters, sum(n_images) as n_images, sum(n_answers) as n_answers,
        max(n_domains) as n_domains
    from compared as c
    inner join sections as s using (condition_id, section)
    left join domains as d
        on key_of(d.a_id, d.b_id, d.domain, d.metric) = key_of(c.condition_id, c.best_id, s.domain, c.metric)
    where c.best_id <> c.condition_id
    group by c.condition_id, c.best_id, c.section, c.metric, c.board, c.same_board
)

select
    c.condition_id, c.protocol, c.reader, c.prompt, c.provenance, section as domain, metric, board, c.captioner,
    c.captioner_name,
    b.captioner as best, b.captioner_name as best_name, same_board, value, best_value, value - best_value as difference,
    case when value is not null then difference_se end as difference_se, coalesce(n_images, 0) as n_images,
    coalesce(n_answers, 0) as n_answers, clusters,
    case when value is null then case when n_domains = 1 then '' else 'in a domain, ' end
        || 'no question that both have answers to' end as note
from sectioned
inner join conditions as c using (condition_id)
inner join conditions as b on b.condition_id = best_id;

-- audit: nobody_is_better: whoever is compared with has the highest value of the board
select board, domain, captioner, best, difference
from captionqa_differences
where same_board and difference > 0.000001;
