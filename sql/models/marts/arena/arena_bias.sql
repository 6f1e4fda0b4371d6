-- what: how much more often a judge prefers a captioner than people do, on the same battles
-- key: [benchmark, judge, protocol, provenance, captioner]
-- source: "CapArena Figure 5. Battles with a person's caption are left out, as everywhere where judges are compared"
-- columns:
--   benchmark: [varchar, [caparena, caparena-auto]]
--   judge: [varchar, name of a metric or a model_id]
--   protocol: [varchar, protocol of the judge's votes]
--   provenance: [varchar, [published, measured, simulated], "of the votes of the judge and of people, the one that is
--       believed less"]
--   captioner, judge_name, captioner_name:
--   n_battles: [bigint, count, 1.., battles of the captioner with an outcome by both]
--   n_images: [bigint, count, 1.., items of these battles]
--   judge_rate: [double, percent, 0..100, "wins by the judge and half of the ties, as a share of the battles"]
--   people_rate: [double, percent, 0..100, the same by people]
--   bias: [double, points, -100..100, "judge_rate less people_rate: positive for a captioner that the judge
--       overestimates"]
-- intervals:
--   bias: t(clusters)

-- In half wins: a tie is one, a win two.
with sides as (
    select
        benchmark, judge, protocol, weaker_provenance(provenance, people_provenance) as provenance, image_id,
        series.captioner, case when outcome = series.side then 2 when outcome = 'tie' then 1 else 0 end as by_judge,
        case when people = series.side then 2 when people = 'tie' then 1 else 0 end as by_people
    from arena_outcomes as o
    cross join lateral (values ('a', o.captioner_a), ('b', o.captioner_b)) as series (side, captioner)
    where judge_type <> 'human' and not by_human and outcome is not null and people is not null
),

images as (
    select
        benchmark, judge, protocol, provenance, captioner, image_id, count(*) as n, sum(by_judge) as by_judge,
        sum(by_people) as by_people
    from sides
    group by benchmark, judge, protocol, provenance, captioner, image_id
)

select
    benchmark, judge, protocol, provenance, captioner, judge_name(judge, protocol) as judge_name,
    model_name(captioner) as captioner_name, sum(n) as n_battles, count(*) as n_images,
    percent_of(sum(by_judge), sum(2 * n)) as judge_rate, percent_of(sum(by_people), sum(2 * n)) as people_rate,
    percent_of(sum(by_judge - by_people), sum(2 * n)) as bias, ratio_error(by_judge - by_people, 2 * n) as bias_se,
    effective_clusters(n) as clusters
from images
group by benchmark, judge, protocol, provenance, captioner;

-- audit: biases_cancel: what a judge gives one captioner more than people do, it takes from others
select benchmark, judge, protocol, provenance, sum(bias * n_battles) as total
from arena_bias
group by benchmark, judge, protocol, provenance
having abs(sum(bias * n_battles)) > 1e-6 * sum(n_battles);
