-- what: the votes of each annotator, how often annotators agree with each other, and which annotators have become
--     faster or slower
-- key: [benchmark, provenance, annotator, level]
-- source: "CapArena section 3.2 (agreement of 0.782 on 400 battles), Table 2 (agreement by level) and appendix E
--     (quality control)"
-- columns:
--   benchmark: [varchar, [caparena, caparena-auto]]
--   provenance: [varchar, [published, measured, simulated], "of the votes; of agreement, of the vote that is believed
--       less"]
--   annotator: [varchar, "name of the annotator; people for published votes, which name no annotators; empty for all
--       together"]
--   level: [varchar, "all, or a published difficulty: 1 unequal captioners to 4 close ones; none for battles without
--       one; single annotators have all alone"]
--   n_votes: [bigint, count, 1.., "battles that the annotator was shown, with and without a vote"]
--   n_counted: [bigint, count, 0.., votes that count]
--   n_fast: [bigint, count, 0.., votes in under five seconds; set aside]
--   n_skipped: [bigint, count, 0.., battles passed over]
--   n_ties: [bigint, count, 0.., "of the votes that count, ties"]
--   n_timed: [bigint, count, 0.., "of the votes that count, votes whose time is known"]
--   mean_seconds: [double, seconds, 0.., mean time of these]
--   median_seconds: [double, seconds, 0.., median time of these]
--   n_speed_ups: [bigint, count, 0.., "votes at which at least 18 of the annotator's last 20 timed votes took less than
--       the average: the median over all annotators. Of votes with independent times 2 in 10,000 would be"]
--   n_slow_downs: [bigint, count, 0.., votes at which at least 18 of the last 20 took more than the average]
--   n_shared: [bigint, count, 0.., pairs of votes of two annotators on one battle; with the annotator's among them]
--   n_agree: [bigint, count, 0.., "of them, pairs that say the same, a tie being a third answer"]
--   n_shared_images: [bigint, count, 0.., items of these battles]
--   agreement: [double, percent, 0..100, pairs that say the same; null without any]
-- intervals:
--   agreement: share(n_shared, clusters)

with cast_votes as (
    select
        b.benchmark, case when b.provenance = 'simulated' then b.provenance else v.provenance end as provenance,
        v.judge as annotator,
        battle_id, b.image_id, coalesce(cast(b.level as varchar), 'none') as level, v.n_fast, v.n_skipped, v.n_tie,
        v.milliseconds,
        v.voted_at, case when v.n_a = 1 then 'a' when v.n_b = 1 then 'b' when v.n_tie = 1 then 'tie' end as winner,
        row_number() over (
            partition by battle_id, v.judge, v.provenance, v.n_fast = 0 and v.n_a + v.n_b + v.n_tie = 1
                order by v.voted_at, v.position
        ) as place
    from merged_arena_votes() as v
    inner join merged_arena_battles() as b using (battle_id)
    where v.judge_type = 'human'
),

-- A person's first vote on a battle counts.
votes_in_order as (
    select
        *, case when winner is not null and n_fast = 0 and place = 1 then 1 else 0 end as counts,
        case when counts = 1 then milliseconds end as timed
    from cast_votes
),

averages as (
    select *, quantile_of(timed, 0.5) over (partition by benchmark, provenance) as average from votes_in_order
),

-- For every timed vote of an annotator, the annotator's last 20 timed votes.
paced as (
    select
        *, count(timed) over last_votes = 20 and count(case when timed < average then 1 end)
            over last_votes >= 18 as is_speed_up,
        count(timed) over last_votes = 20 and count(case when timed > average then 1 end)
            over last_votes >= 18 as is_slow_down
    from averages
    window last_votes as (
        partition by benchmark, provenance, annotator, timed is null
        order by voted_at, battle_id rows between 19 preceding and current row
    )
),

counts as (
    select
        votes_of(benchmark, series.annotator, series.level, provenance) as row_id, benchmark, provenance,
        series.annotator, series.level,
        count(*) as n_votes, sum(counts) as n_counted, sum(n_fast) as n_fast, sum(n_skipped) as n_skipped,
        sum(counts * n_tie) as n_ties,
        count(timed) as n_timed, ratio_of(sum(timed), 1000 * count(timed)) as mean_seconds,
        quantile_of(timed, 0.5) / 1000 as median_seconds,
        count(*) filter (where is_speed_up and series.level = 'all') as n_speed_ups,
        count(*) filter (where is_slow_down and series.level = 'all') as n_slow_downs
    from paced as v
    cross join lateral (values (v.annotator, 'all'), ('', 'all'), ('', v.level)) as series (annotator, level)
    group by benchmark, provenance, series.annotator, series.level
),

pairs as (
    select
        a.benchmark, weaker_provenance(a.provenance, b.provenance) as provenance, series.annotator, series.level,
        a.image_id, count(*) as n, count(case when a.winner = b.winner then 1 end) as n_agree
    from votes_in_order as a
    inner join votes_in_order as b using (battle_id)
    cross join lateral (values (a.annotator, 'all'), (b.annotator, 'all'), ('', 'all'), ('', a.level))
        as series (annotator, level)
    where a.counts = 1 and b.counts = 1 and a.annotator < b.annotator
    group by a.benchmark, weaker_provenance(a.provenance, b.provenance), series.annotator, series.level, a.image_id
),

agreement as (
    select
        votes_of(benchmark, annotator, level, provenance) as row_id, sum(n) as n_shared, sum(n_agree) as n_agree,
        count(*) as n_shared_images,
        percent_of(sum(n_agree), sum(n)) as agreement, ratio_error(n_agree, n) as agreement_se,
        effective_clusters(n) as clusters
    from pairs
    group by benchmark, provenance, annotator, level
)

select
    benchmark, provenance, annotator, level, n_votes, n_counted, n_fast, n_skipped, n_ties, n_timed, mean_seconds,
    median_seconds, n_speed_ups, n_slow_downs, coalesce(n_shared, 0) as n_shared,
    coalesce(a.n_agree, 0) as n_agree, coalesce(n_shared_images, 0) as n_shared_images, agreement, agreement_se,
    clusters
from counts
left join agreement as a using (row_id);

-- audit: all_votes: the annotators' votes are votes of people
select v.n_votes, a.n_votes as n_votes_of_annotators
from (select count(*) as n_votes from arena_votes where judge_type = 'human') as v
cross join (select coalesce(sum(n_votes), 0) as n_votes from arena_annotators where annotator <> '') as a
where v.n_votes <> a.n_votes;
