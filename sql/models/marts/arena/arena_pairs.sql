-- what: how often a captioner's captions are preferred to another captioner's, and to all others', by judge
-- key: [benchmark, judge, protocol, provenance, captioner, other]
-- source: CapArena Figure 3
-- columns:
--   benchmark: [varchar, [caparena, caparena-auto]]
--   judge: [varchar, "people for all people; else the name of a metric or a model_id"]
--   protocol: [varchar, protocol of the votes]
--   provenance:
--   captioner: [varchar, model_id of the captioner; human for a person's captions]
--   other: [varchar, "model_id of the captioner that it is compared with; empty for all of them, without a person's
--       captions unless people judge"]
--   judge_name, captioner_name:
--   other_name: [varchar, name of the other captioner to show to people; empty for all of them]
--   n_battles: [bigint, count, 1.., battles of the two with an outcome]
--   n_wins: [bigint, count, 0.., battles that the captioner won]
--   n_losses: [bigint, count, 0.., battles that the other won]
--   n_ties: [bigint, count, 0.., ties]
--   n_images: [bigint, count, 1.., items of these battles]
--   win_rate: [double, percent, 0..100, "wins and half of the ties, as a share of the battles"]
-- intervals:
--   win_rate: share(n_battles, clusters)

with sides as (
    select
        benchmark, judge, protocol, provenance, image_id, captioner_a as captioner, captioner_b as other,
        judge = 'people' or not by_human as ranks, case outcome when 'a' then 1 else 0 end as win,
        case outcome when 'b' then 1 else 0 end as loss
    from arena_outcomes
    where outcome is not null
    union all
    select
        benchmark, judge, protocol, provenance, image_id, captioner_b, captioner_a, judge = 'people' or not by_human,
        case outcome when 'b' then 1 else 0 end, case outcome when 'a' then 1 else 0 end
    from arena_outcomes
    where outcome is not null
),

images as (
    select
        benchmark, judge, protocol, provenance, captioner, series.other, image_id, count(*) as n, sum(win) as wins,
        sum(loss) as losses
    from sides
    cross join lateral (values (sides.other), ('')) as series (other)
    where series.other <> '' or ranks
    group by benchmark, judge, protocol, provenance, captioner, series.other, image_id
),

-- In half wins: a tie is one, a win two.
pairs as (
    select
        benchmark, judge, protocol, provenance, captioner, other, sum(n) as n_battles, sum(wins) as n_wins,
        sum(losses) as n_losses, count(*) as n_images, percent_of(sum(n + wins - losses), sum(2 * n)) as win_rate,
        ratio_error(n + wins - losses, 2 * n) as win_rate_se, effective_clusters(n) as clusters
    from images
    group by benchmark, judge, protocol, provenance, captioner, other
)

select
    benchmark, judge, protocol, provenance, captioner, p.other, model_name(judge) as judge_name,
    model_name(captioner) as captioner_name,
    case when p.other = '' then '' else model_name(p.other) end as other_name, n_battles, n_wins, n_losses,
    n_battles - n_wins - n_losses as n_ties, n_images, win_rate, win_rate_se, clusters
from pairs as p;

-- audit: both_sides: what one captioner wins the other loses
select benchmark, judge, protocol, provenance, least(captioner, other) as one, greatest(captioner, other) as other_one
from arena_pairs
where other <> ''
group by benchmark, judge, protocol, provenance, least(captioner, other), greatest(captioner, other)
having count(*) <> 2 or min(n_ties) <> max(n_ties) or min(case when captioner < other then n_wins else n_losses end)
    <> max(case when captioner < other then n_wins else n_losses end);
