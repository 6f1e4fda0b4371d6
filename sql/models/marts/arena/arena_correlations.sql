-- what: how closely judges and benchmarks rank captioners as people's votes do, computed from battles and tables and as
--     printed
-- key: [origin, kind, benchmark, name, judge, protocol, method, provenance, people_provenance]
-- source: CapArena Table 2 (model-level agreement), Table 3 and Figure 4
-- columns:
--   series_id:
--   origin: [varchar, [battles, tables, published], "battles: from votes; tables: from printed scores and the printed
--       ranking; published: printed"]
--   kind: [varchar, [judge, benchmark], "judge: the ranking by a judge's votes on the battles that people voted on;
--       benchmark: by a score"]
--   benchmark: [varchar, [caparena, caparena-auto], the battles]
--   name: [varchar, "name of the judge or of the score to show to people"]
--   judge: [varchar, "model_id of the judge or name of the metric; empty for other benchmarks"]
--   protocol: [varchar, protocol of its votes; empty for other benchmarks]
--   method: [varchar, [elo, bradley_terry], "how captioners are ranked: elo as in the released code, or bradley_terry
--       as in the text"]
--   provenance: [varchar, [published, measured, simulated], "of the judge's votes or the scores and of the people's
--       votes, the one that is believed less"]
--   people_provenance: [varchar, [published, measured, simulated]]
--   n_captioners: [bigint, count, "captioners ranked by both, a person's captions left out; null for printed rows"]
--   spearman: [double, correlation, -1..1, "rank correlation, ties at their mean rank; null for fewer than three
--       captioners or all tied"]
--   kendall: [double, correlation, -1..1, "Kendall's tau-b, of all pairs of captioners"]
--   mean_bias: [double, points, 0.., "mean over captioners of the absolute difference of win rates by the judge and by
--       people; null for benchmarks"]
-- intervals:
--   spearman: z((1 + spearman * spearman / 2) / (n_captioners - 3)); with the variance (1 + rho² / 2) / (n - 3) of
--       Bonett and Wright, as if captioners were drawn from many; null for 1 and -1
--   kendall: z(0.437 / (n_captioners - 4)); with the variance 0.437 / (n - 4)

with provenances as (
    select
        votes_of(benchmark, judge, protocol, provenance) as votes_id,
        value_at_least(people_provenance, -provenance_place(people_provenance)) as people_provenance
    from arena_outcomes
    where judge_type <> 'human' and outcome is not null and people is not null and not by_human
    group by benchmark, judge, protocol, provenance
),

ratings as (
    select
        benchmark, judge, protocol, provenance, method, captioner, max(case outcomes when 'judge' then rating end) as x,
        max(case outcomes when 'people' then rating end) as y
    from arena_ratings
    where method in ('elo', 'bradley_terry') and captioner <> 'human'
    group by all
    having x is not null and y is not null
),

points as (
    select
        'battles' as origin, 'judge' as kind, benchmark, judge_name(judge, protocol) as name, judge, protocol, method,
        weaker_provenance(provenance, people_provenance) as provenance, people_provenance, captioner, x, y
    from ratings
    inner join provenances on votes_id = votes_of(benchmark, judge, protocol, provenance)
    union all
    select
        case when score_provenance = 'published' and people_provenance = 'published' and rating is null then 'tables'
            else 'battles' end,
        'benchmark', 'caparena', name, judge, protocol, 'elo', provenance, people_provenance, captioner, score, -place
    from arena_benchmarks
),

series as (
    select
        origin, kind, benchmark, name, judge, protocol, method, provenance, people_provenance, count(*) as n_captioners,
        spearman(list(x), list(y)) as spearman, kendall(list(x), list(y)) as kendall
    from points
    group by all
),

biases as (
    select votes_of(benchmark, judge, protocol, provenance) as votes_id, mean_of(abs(bias)) as mean_bias
    from arena_bias
    group by benchmark, judge, protocol, provenance
),

both_origins as (
    select series.*, mean_bias
    from series
    left join biases on kind = 'judge' and votes_id = votes_of(benchmark, judge, protocol, provenance)
    union all by name
    select
        'published' as origin, case p.item when 'Table 2' then 'judge' else 'benchmark' end as kind, p.benchmark,
        case p.item when 'Table 2' then p.model else p.category end as name, p.model_id as judge, case
            when p.item = 'Table 3' then '' when m.model_type = 'metric' then 'caparena/metric'
            when f.value = 1 then 'caparena/battle-reference' else 'caparena/battle'
        end as protocol, 'elo' as method, 'published' as provenance, 'published' as people_provenance,
        printed_value(p.metric, 'spearman', p.value) as spearman, printed_value(p.metric, 'kendall', p.value) as kendall
    from published as p
    left join models as m using (model_id)
    left join (
        select item, model, value from published where benchmark = 'caparena' and metric = 'needs_reference'
    ) as f using (item, model)
    where p.benchmark = 'caparena' and p.source = 'paper' and p.item in ('Table 2', 'Table 3')
        and p.metric in ('spearman', 'kendall')
    group by p.item, p.benchmark, p.model, p.category, p.model_id, m.model_type, f.value
)

select
    *, case kind when 'judge' then key_of(benchmark, judge, origin, '', protocol, provenance)
        else key_of(name, judge, people_provenance, '', protocol, provenance) end as series_id
from both_origins;
