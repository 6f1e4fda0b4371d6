-- what: the cost of judging battles, for all battles and for the test of one captioner
-- key: [benchmark, judge, protocol, provenance, captioner]
-- source: "CapArena section 5: a test of CapArena-Auto costs 4 US dollars"
-- columns:
--   benchmark: [varchar, [caparena, caparena-auto]]
--   judge:
--   protocol: [varchar, protocol of the calls]
--   provenance:
--   captioner: [varchar, "model_id of the captioner that CapArena-Auto tests, caption a of its battles; empty for all
--       battles"]
--   judge_name:
--   captioner_name: [varchar, name of the captioner to show to people; empty for all battles]
--   n_battles: [bigint, count, 1.., battles that the judge was asked about]
--   n_calls: [bigint, count, 1.., "calls, both orders and all attempts"]
--   n_failed: [bigint, count, 0.., calls without a reply]
--   n_uncounted:
--   prompt_tokens: [bigint, tokens, 0.., tokens of the prompts that were counted]
--   cached_tokens, completion_tokens:
--   tokens_per_battle: [double, tokens, 0.., tokens of prompts and replies for a battle; null when some were not
--       counted]
--   cost: [double, 0.., "cost of the calls by the prices that the configuration had when the calls were made, in its
--       currency; null when a price or tokens are not known"]
--   cost_per_battle: [double, 0.., the same for a battle]

with priced as (
    select
        b.benchmark, c.model as judge, c.protocol,
        case when b.provenance = 'simulated' then b.provenance else c.provenance end as provenance,
        series.captioner, battle_id, c.n_calls, c.n_failed, c.n_uncounted, c.prompt_tokens, c.cached_tokens,
        c.completion_tokens, c.cost
    from priced_calls() as c
    inner join merged_arena_battles() as b on b.battle_id = c.item
    cross join lateral (values (''), (case when b.benchmark = 'caparena-auto' then b.captioner_a end))
        as series (captioner)
    where c.protocol like 'caparena/%' and series.captioner is not null
),

sums as (
    select
        benchmark, judge, protocol, provenance, captioner, count(distinct battle_id) as n_battles,
        sum(n_calls) as n_calls,
        sum(n_failed) as n_failed, sum(n_uncounted) as n_uncounted, sum(prompt_tokens) as prompt_tokens,
        sum(cached_tokens) as cached_tokens, sum(completion_tokens) as completion_tokens,
        case when count(cost) = count(*) then cast(sum(exact_long(cost)) as double) end as cost
    from priced
    group by benchmark, judge, protocol, provenance, captioner
)

select
    benchmark, judge, protocol, provenance, captioner, judge_name(judge, protocol) as judge_name,
    case when captioner = '' then '' else model_name(captioner) end as captioner_name, n_battles, n_calls, n_failed,
        n_uncounted,
    prompt_tokens, cached_tokens, completion_tokens,
    case when n_uncounted = 0 then ratio_of(prompt_tokens + completion_tokens, n_battles) end as tokens_per_battle,
        cost,
    cost / n_battles as cost_per_battle
from sums;
