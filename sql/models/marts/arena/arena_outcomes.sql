-- what: the outcome of every battle by every judge, beside the outcome by people, with the votes that count and the
--     excluded votes; all people together are one judge, named people
-- key: [battle_id, judge, protocol, provenance]
-- source: CapArena sections 3.2 and 4.2 and appendix E
-- columns:
--   benchmark: [varchar, [caparena, caparena-auto]]
--   battle_id: [varchar, name of the battle]
--   judge: [varchar, "people for all people, whoever they are; else the name of a metric or a model_id"]
--   protocol: [varchar, "caparena/vote by people, caparena/metric by metrics, caparena/battle and
--       caparena/battle-reference by models"]
--   provenance: [varchar, [published, measured, simulated], "of the votes; simulated where the battle is"]
--   judge_type: [varchar, [human, metric, model]]
--   image_id: [varchar, "item of the battle: the cluster of standard errors"]
--   captioner_a: [varchar, model_id that wrote the first caption; human for a person's]
--   captioner_b: [varchar, model_id that wrote the second caption; human for a person's]
--   level: [integer, 1..4, "published difficulty, 1 unequal captioners to 4 close ones; null when not given"]
--   ordinal: [bigint, "position of the battle in its file, from 0"]
--   words_a: [bigint, words, words of the first caption; null when its text is not given]
--   words_b: [bigint, words, words of the second caption; null when its text is not given]
--   by_human: [boolean, "whether a person wrote one of the captions: judges other than people are ranked without such
--       battles"]
--   outcome: [varchar, [a, b, tie], "of the votes that count the answer that has most, a tie where none has; null when
--       no vote counts. So two orders of one judge, or two people, that do not say the same make a tie. A metric ties
--       where its scores differ by no more than threshold"]
--   people: [varchar, [a, b, tie], "the outcome by people: of published votes where there are any, else of measured,
--       else of simulated ones; null when no person's vote on the battle counts"]
--   people_provenance: [varchar, [published, measured, simulated], "of the votes behind people; null without any"]
--   difference: [double, "a metric's score of the first caption less that of the second; null for others"]
--   threshold: [double, 0.., "of a metric: the k-th least absolute difference of scores over the battles without a
--       person's caption that people voted on, where k is how many of these people tied; 0 when they tied none. Then at
--       least k of them are ties, and no more unless differences are equal; null for others"]
--   n_votes: [bigint, count, 1.., "votes, in both orders and by all people"]
--   n_counted: [bigint, count, 0.., votes that count]
--   n_fast: [bigint, count, votes of people in under five seconds; set aside]
--   n_repeated: [bigint, count, "votes of a person on a battle after the first that can count; set aside"]
--   n_skipped: [bigint, count, battles that a person passed over]
--   n_unparsed: [bigint, count, replies that cannot be read]
--   n_failed: [bigint, count, replies or scores that are missing]

with cast_votes as (
    select
        b.benchmark, battle_id, case when v.judge_type = 'human' then 'people' else v.judge end as judge,
        v.judge as voter, v.protocol,
        v.position, case when b.provenance = 'simulated' then b.provenance else v.provenance end as provenance,
        v.judge_type, v.n_a, v.n_b,
        v.n_tie, v.n_fast, v.n_skipped, v.n_unparsed, v.n_failed, v.score_a - v.score_b as difference, v.voted_at,
        case when v.n_a + v.n_b + v.n_tie = 1 and v.n_fast = 0 then 1 else 0 end as can_count
    from merged_arena_votes() as v
    inner join merged_arena_battles() as b using (battle_id)
),

-- A person's first vote on a battle is the one that counts; a judge that is asked in both orders has two that do.
placed as (
    select
        *, case when judge_type = 'human' and can_count = 1 and row_number() over (
            partition by battle_id, voter, protocol, provenance, can_count order by voted_at, position
        ) > 1 then 1 else 0 end as n_repeated
    from cast_votes
),

tallies as (
    select
        benchmark, battle_id, judge, protocol, provenance, judge_type, count(*) as n_votes,
        sum(can_count - n_repeated) as n_counted,
        sum(n_a * (can_count - n_repeated)) as n_a, sum(n_b * (can_count - n_repeated)) as n_b,
        sum(n_tie * (can_count - n_repeated)) as n_tie, sum(n_fast) as n_fast, sum(n_repeated) as n_repeated,
        sum(n_skipped) as n_skipped,
        sum(n_unparsed) as n_unparsed, sum(n_failed) as n_failed, max(difference) as difference
    from placed
    group by benchmark, battle_id, judge, protocol, provenance, judge_type
),

decided as (
    select
        *, votes_of(benchmark, judge, protocol, provenance) as votes_id, case
            when n_counted = 0 then null
            when n_a > n_b and n_a > n_tie then 'a'
            when n_b > n_a and n_b > n_tie then 'b'
            else 'tie'
        end as bare_outcome
    from tallies
),

by_people as (
    select
        battle_id, value_at_least(bare_outcome, provenance_place(provenance)) as people,
        value_at_least(provenance, provenance_place(provenance)) as people_provenance
    from decided
    where judge_type = 'human' and bare_outcome is not null
    group by battle_id
),

-- The differences of a metric on battles that people voted on, the least first, and how many of these people tied.
differences as (
    select
        votes_id, abs(d.difference) as size, row_number() over (metric order by abs(d.difference)) as place,
        count(case when p.people = 'tie' then 1 end) over metric as n_ties
    from decided as d
    inner join by_people as p using (battle_id)
    inner join merged_arena_battles() as b using (battle_id)
    where d.judge_type = 'metric' and d.difference is not null and d.n_counted > 0 and b.n_by_human = 0
    window metric as (partition by votes_id)
),

thresholds as (
    select votes_id, size as threshold from differences where place = n_ties
)

select
    d.benchmark, battle_id, d.judge, d.protocol, d.provenance, d.judge_type, b.image_id, b.captioner_a, b.captioner_b,
    b.level, b.ordinal, b.words_a, b.words_b, b.n_by_human = 1 as by_human,
    case when d.judge_type = 'metric' and abs(d.difference) <= coalesce(t.threshold, 0) then 'tie'
        else d.bare_outcome end as outcome,
    p.people, p.people_provenance, d.difference,
    case when d.judge_type = 'metric' and d.difference is not null then coalesce(t.threshold, 0) end as threshold,
    d.n_votes, d.n_counted, d.n_fast, d.n_repeated, d.n_skipped, d.n_unparsed, d.n_failed
from decided as d
inner join merged_arena_battles() as b using (battle_id)
left join by_people as p using (battle_id)
left join thresholds as t using (votes_id);

-- audit: every_vote_accounted_for: a vote counts or is set aside for a reason
select battle_id, judge, protocol, provenance
from arena_outcomes
where n_votes <> n_counted + n_fast + n_repeated + n_skipped + n_unparsed + n_failed;

-- audit: all_votes: every vote of the fold is in one row
select v.n_votes, o.n_votes as n_votes_of_outcomes
from (select count(*) as n_votes from arena_votes) as v
cross join (select coalesce(sum(n_votes), 0) as n_votes from arena_outcomes) as o
where v.n_votes <> o.n_votes;

-- audit: ties_as_people: a metric has a wrong threshold if it ties less often than people on its battles
select judge, protocol, provenance, benchmark
from arena_outcomes
where judge_type = 'metric' and people is not null and outcome is not null and difference is not null and not by_human
group by judge, protocol, provenance, benchmark
having count(case when outcome = 'tie' then 1 end) < count(case when people = 'tie' then 1 end);
