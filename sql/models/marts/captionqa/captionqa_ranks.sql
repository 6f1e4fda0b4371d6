-- what: the places of the captioners of each board by score and accuracy, overall and by domain, with intervals;
--     QA-on-caption only
-- key: [board_id, metric, condition_id, origin]
-- source: "CaptionQA Tables 3 and 11 to 26: their order; the intervals are beyond the paper"
-- columns:
--   board_id, board, condition_id, protocol, reader, prompt, provenance, origin:
--   domain: [varchar, "domain, or the section that a mean of domains is over, such as Overall"]
--   metric, captioner, captioner_name, size, model_type:
--   value: [double, percent, 0..105, "what is ranked; null where no reply could be read"]
--   rank: [bigint, rank, 1.., "place on the board, 1 the best; equal values share the better place; null where
--       nobody else has a value, and
--       for a printed row where the captioner has a measured one"]
--   rank_low: [bigint, rank, 1.., "best place that the captioner may have: one more than how many are better by a 95%
--       interval without 0, of paired differences where both have answers, else of the difference to a printed figure;
--       null for printed rows and for a single image, as rank_high is"]
--   rank_high: [bigint, rank, "worst place that it may have"]
--   n_models: [bigint, count, captioners of the board that have a value]
--   n_questions: [bigint, count, questions answered; null for printed rows]
--   n_images: [bigint, count, images that they are about; null for printed rows]
--   is_headline, is_first, board_place, is_replaced, note:
-- intervals:
--   value: share(n_questions, clusters)

with valued as (
    select
        board_id, board, b.condition_id, s.protocol, s.reader, s.prompt, s.provenance, s.origin, section as domain,
        v.metric, b.captioner,
        b.captioner_name, s.size, b.model_type, v.value, v.value_se, n_questions, n_images, b.is_headline, b.is_first,
        b.is_replaced, b.board_place,
        s.note, effective_images as clusters, share_high(v.value, v.value_se, n_questions, effective_images) as high,
        share_low(v.value, v.value_se, n_questions, effective_images) as low
    from boards as b
    inner join captionqa_scores as s
        on s.condition_id = b.condition_id and s.origin = b.origin and s.domain = b.section
    cross join lateral (values ('score', s.score, s.score_se), ('accuracy', s.accuracy, s.accuracy_se))
        as v (metric, value, value_se)
    where b.benchmark = 'captionqa' and s.level in ('overall', 'domain')
        and (v.value is not null or b.origin = 'answers')
),

-- A printed figure has an error of its own, about as large as the error of the row beside it.
beside_printed as (
    select
        a.board_id, a.condition_id, a.metric,
        count(*) filter (where p.value - a.value > sqrt(2) * (a.high - a.value)) as n_better,
        count(*) filter (where a.value - p.value > sqrt(2) * (a.value - a.low)) as n_worse
    from valued as a
    inner join valued as p using (board_id, metric)
    where a.origin = 'answers' and p.origin = 'published' and not p.is_replaced
    group by a.board_id, a.condition_id, a.metric
)

select
    v.* exclude (high, low), case
        when value is not null and n_models > 1 and not is_replaced
            then rank() over (partition by board_id, metric, is_replaced order by exact(value) desc nulls last)
    end as rank,
    case when n_models > 1 and i.n_better is not null then 1 + i.n_better + coalesce(p.n_better, 0) end as rank_low,
    case when n_models > 1 and i.n_worse is not null then n_models - i.n_worse - coalesce(p.n_worse, 0) end as rank_high
from (select *, count(value) filter (where not is_replaced) over (partition by board_id, metric) as n_models
    from valued) as v
left join rank_intervals as i using (board_id, condition_id, metric)
left join beside_printed as p using (board_id, condition_id, metric);

-- audit: someone_is_first: every ranking of several captioners has a first place
select board_id, metric, min(rank) as best
from captionqa_ranks
where n_models > 1
group by board_id, metric
having min(rank) <> 1;

-- audit: interval_in_order: an interval holds its rank or value, and a rank's ends within the ranked captioners
select captioner, prompt, domain, metric, value, value_low, value_high, rank, rank_low, rank_high
from captionqa_ranks
where rank_low > rank_high or rank_high > n_models or rank not between rank_low and rank_high
    or value not between value_low and value_high or value_low = value_high;
