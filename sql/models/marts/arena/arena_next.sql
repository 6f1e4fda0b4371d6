-- what: the pairs of captioners that people should vote on next, each with its probability to be drawn
-- key: [benchmark, judge, protocol, provenance, captioner_a, captioner_b]
-- source: "CapArena section 3.2: a pair is drawn with a probability proportional to the expected reduction of its
--     interval"
-- columns:
--   benchmark: [varchar, [caparena, caparena-auto]]
--   judge: [varchar, people for all people]
--   protocol: [varchar, protocol of the votes]
--   provenance:
--   captioner_a: [varchar, "model_id of one captioner, the first in the alphabet; human for a person's captions"]
--   captioner_b: [varchar, model_id of the other]
--   captioner_a_name: [varchar, name of the one to show to people]
--   captioner_b_name: [varchar, name of the other to show to people]
--   n_battles: [bigint, count, 0.., battles of the two with an outcome]
--   win_share: [double, percent, 0..100, "a's wins and half of the ties, with half a win of each added to the battles,
--       so that every pair has some variance"]
--   width: [double, points, 0.., "of the 95% interval of that share: 2 · 1.96 · √(variance / (n + 1))"]
--   reduction: [double, points, 0.., "by how much one vote more is expected to reduce the standard error: √(variance /
--       (n + 1)) - √(variance / (n + 2))"]
--   probability: [double, percent, 0..100, "with which the pair is to be drawn: the reduction as a share of all pairs'
--       reductions"]

with votes as (
    select
        votes_of(benchmark, judge, protocol, provenance) as series_id, benchmark, judge, protocol, provenance,
        captioner_a, captioner_b, outcome
    from arena_outcomes
    where judge = 'people'
),

captioners as (
    select distinct
        series_id, benchmark, judge, protocol, provenance, unnest([captioner_a, captioner_b]) as captioner
    from votes
),

-- a is the first in the alphabet
battles as (
    select
        series_id, least(captioner_a, captioner_b) as a, greatest(captioner_a, captioner_b) as b, outcome,
        outcome = if(captioner_a < captioner_b, 'a', 'b') as is_won
    from votes
    where outcome is not null
),

counts as (
    select
        x.series_id, x.benchmark, x.judge, x.protocol, x.provenance, x.captioner as a, y.captioner as b,
        count(t.outcome) as n_battles, count(*) filter (where t.is_won) as n_won,
        count(*) filter (where t.outcome = 'tie') as n_ties
    from captioners as x
    inner join captioners as y using (series_id)
    left join battles as t on t.series_id = x.series_id and t.a = x.captioner and t.b = y.captioner
    where x.captioner < y.captioner
    group by x.series_id, x.benchmark, x.judge, x.protocol, x.provenance, x.captioner, y.captioner
),

-- A pair that never met would have an endless interval, and a pair with equal outcomes would have an interval without
-- width. So half a win of each is added to the battles: one battle more, with variance.
shares as (
    select *, (n_won + n_ties / 2 + 0.5) / (n_battles + 1) as win_share
    from counts
),

variances as (
    select *, (n_won + n_ties / 4 + 0.5) / (n_battles + 1) - win_share * win_share as variance
    from shares
),

reductions as (
    select
        *, sqrt(variance / (n_battles + 1)) as error,
        sqrt(variance / (n_battles + 1)) - sqrt(variance / (n_battles + 2)) as reduction
    from variances
),

sums as (
    select series_id, sum(reduction order by a, b) as reduction from reductions group by series_id
)

select
    r.benchmark, r.judge, r.protocol, r.provenance, r.a as captioner_a, r.b as captioner_b,
    model_name(r.a) as captioner_a_name, model_name(r.b) as captioner_b_name, r.n_battles,
    100 * r.win_share as win_share,
    100 * (2 * cast(1.959963984540054 as double) * r.error) as width, 100 * r.reduction as reduction,
    100 * (r.reduction / s.reduction) as probability
from reductions as r
inner join sums as s using (series_id);

-- audit: probabilities: something is drawn
select benchmark, judge, protocol, provenance, sum(probability) as probability
from arena_next
group by benchmark, judge, protocol, provenance
having abs(sum(probability) - 100) > 0.000001;
