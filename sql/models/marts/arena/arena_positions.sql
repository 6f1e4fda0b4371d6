-- what: how often a judge prefers the caption that it is shown first, and how often it decides a battle in the same way
--     in both orders
-- key: [benchmark, judge, protocol, provenance]
-- source: "captionlake: position bias of judges; CapArena does not say in which order captions were shown"
-- columns:
--   benchmark: [varchar, [caparena, caparena-auto]]
--   judge: [varchar, "model_id of the judge; people for all people"]
--   protocol: [varchar, protocol of the votes]
--   provenance:
--   judge_type: [varchar, [human, model]]
--   judge_name:
--   n_votes: [bigint, count, 1.., "votes that can be read and have a known order; votes of people in under five
--       seconds are left out"]
--   n_ties: [bigint, count, 0.., "of them, ties"]
--   n_first: [bigint, count, 0.., "of them, votes for the caption that was shown first"]
--   n_images: [bigint, count, 1.., items of the votes]
--   first_rate: [double, percent, 0..100, "votes for the caption that was shown first and half of the ties, as a share
--       of the votes; 50 without a position bias where the orders are drawn"]
--   n_both: [bigint, count, 0.., battles that the judge saw in both orders and that can be read in both]
--   n_same: [bigint, count, 0.., "of them, battles with the same outcome in both orders"]
--   n_both_first: [bigint, count, 0.., "of them, battles in which the caption shown first won both times"]
--   n_both_second: [bigint, count, 0.., "of them, battles in which the caption shown second won both times"]
--   same_rate: [double, percent, 0..100, "battles with the same outcome in both orders, as a share of the battles
--       in both; null without any"]
-- intervals:
--   first_rate: share(n_votes, clusters)
--   same_rate: share(n_both, both_clusters)

with cast_votes as (
    select
        b.benchmark, battle_id, case when v.judge_type = 'human' then 'people' else v.judge end as judge,
        v.judge as voter, v.protocol,
        case when b.provenance = 'simulated' then b.provenance else v.provenance end as provenance, v.judge_type,
            b.image_id,
        v.n_tie, v.n_first, case when v.n_a = 1 then 'a' when v.n_b = 1 then 'b' else 'tie' end as winner
    from merged_arena_votes() as v
    inner join merged_arena_battles() as b using (battle_id)
    where v.position <> '' and v.n_a + v.n_b + v.n_tie = 1 and v.n_fast = 0
),

-- One judge or one person has one vote on a battle in each order.
battles as (
    select
        benchmark, judge, protocol, provenance, judge_type, voter, battle_id, image_id, count(*) as n,
        sum(n_tie) as n_tie, sum(n_first) as n_first, case when count(*) = 2 then 1 else 0 end as n_both,
        case when count(*) = 2 and min(winner) = max(winner) then 1 else 0 end as n_same,
        case when count(*) = 2 and sum(n_first) = 2 then 1 else 0 end as n_both_first,
        case when count(*) = 2 and sum(n_first) = 0 and sum(n_tie) = 0 then 1 else 0 end as n_both_second
    from cast_votes
    group by benchmark, judge, protocol, provenance, judge_type, voter, battle_id, image_id
),

images as (
    select
        benchmark, judge, protocol, provenance, judge_type, image_id, sum(n) as n, sum(n_tie) as n_tie,
        sum(n_first) as n_first,
        sum(n_both) as n_both, sum(n_same) as n_same, sum(n_both_first) as n_both_first,
        sum(n_both_second) as n_both_second
    from battles
    group by benchmark, judge, protocol, provenance, judge_type, image_id
)

select
    benchmark, judge, protocol, provenance, judge_type, judge_name(judge, protocol) as judge_name,
    sum(n) as n_votes, sum(n_tie) as n_ties, sum(n_first) as n_first, count(*) as n_images,
    percent_of(sum(2 * n_first + n_tie), sum(2 * n)) as first_rate,
    ratio_error(2 * n_first + n_tie, 2 * n) as first_rate_se,
    effective_clusters(n) as clusters, sum(n_both) as n_both, sum(n_same) as n_same, sum(n_both_first) as n_both_first,
    sum(n_both_second) as n_both_second, percent_of(sum(n_same), sum(n_both)) as same_rate,
    ratio_error(n_same, n_both) as same_rate_se, clusters_of(sum(n_both), sum(n_both * n_both)) as both_clusters
from images
group by benchmark, judge, protocol, provenance, judge_type;

-- audit: orders_add_up: a battle in both orders is the same in both, or won by one place twice, or by one and tied
select benchmark, judge, protocol, provenance
from arena_positions
where n_same + n_both_first + n_both_second > n_both or n_first + n_ties > n_votes;
