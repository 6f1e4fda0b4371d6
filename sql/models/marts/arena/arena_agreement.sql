-- what: the number of battles in which a judge and people have the same outcome, computed from battles and as printed
-- key: [benchmark, origin, judge, protocol, provenance, level, ties]
-- source: "CapArena Table 2 and section 4.2, caption-level agreement. Battles with a person's caption are left out, as
--     in the released code"
-- columns:
--   series_id:
--   benchmark: [varchar, [caparena, caparena-auto]]
--   origin: [varchar, [battles, published], "battles: computed from votes; published: printed"]
--   judge: [varchar, "name of a metric or a model_id; people for the agreement between annotators as printed"]
--   protocol: [varchar, protocol of the judge's votes]
--   provenance: [varchar, [published, measured, simulated], "of the votes of the judge and of people, the one that is
--       believed less"]
--   level: [varchar, "all, or a published difficulty: 1 unequal captioners to 4 close ones; none for battles without
--       one"]
--   ties: [varchar, [included, excluded], "included: a tie is a third outcome; excluded: battles that either side tied
--       are left out, as in the released code; not printed"]
--   judge_type: [varchar, [human, metric, model]]
--   judge_name: [varchar, "name of the judge to show to people; given the reference or not, where it is asked both
--       ways"]
--   needs_reference: [boolean, "whether the judge was given a person's caption, as printed; null for metrics that were
--       computed"]
--   n_battles: [bigint, count, 1.., "battles; null for printed rows, as all counts"]
--   n_images: [bigint, count, 1.., items of these battles]
--   n_decided: [bigint, count, 1.., battles of the level that people decided; without the battles that they tied where
--       ties are excluded]
--   is_whole: [boolean, "the judge decided all of them but one in a hundred at most, so that it can be compared with
--       others that did; with ties excluded, as with ties included"]
--   n_agree: [bigint, count, 0.., battles about which both say the same]
--   n_judge_ties: [bigint, count, 0.., battles that the judge tied]
--   n_people_ties: [bigint, count, 0.., battles that people tied]
--   agreement: [double, percent, 0..100, share of the battles about which both say the same]
-- intervals:
--   agreement: share(n_battles, clusters)

with rated as (
    select o.* exclude (level), series.level, series.ties
    from arena_outcomes as o
    cross join lateral (
        values ('all', 'included'), ('all', 'excluded'), (coalesce(cast(o.level as varchar), 'none'), 'included'),
            (coalesce(cast(o.level as varchar), 'none'), 'excluded')
    ) as series (level, ties)
    where people is not null and not by_human and (series.ties = 'included' or people <> 'tie')
),

battles as (
    select
        benchmark, judge, protocol, weaker_provenance(provenance, people_provenance) as provenance, judge_type,
        image_id, level, ties, outcome, people
    from rated
    where judge_type <> 'human' and outcome is not null and (ties = 'included' or outcome <> 'tie')
),

decided as (
    select key_of(benchmark, level, ties, people_provenance = 'simulated') as people_id,
        count(distinct battle_id) as n_decided
    from rated
    group by people_id
),

images as (
    select
        benchmark, judge, protocol, provenance, judge_type, level, ties, image_id, count(*) as n,
        count(case when outcome = people then 1 end) as n_agree,
        count(case when outcome = 'tie' then 1 end) as n_judge_ties,
        count(case when people = 'tie' then 1 end) as n_people_ties
    from battles
    group by benchmark, judge, protocol, provenance, judge_type, level, ties, image_id
),

rows as (
    select
        benchmark, 'battles' as origin, judge, protocol, provenance, level, ties, judge_type, sum(n) as n_battles,
        count(*) as n_images,
        sum(n_agree) as n_agree, sum(n_judge_ties) as n_judge_ties, sum(n_people_ties) as n_people_ties,
        percent_of(sum(n_agree), sum(n)) as agreement, ratio_error(n_agree, n) as agreement_se,
        effective_clusters(n) as clusters,
        case when judge_type = 'model' then protocol = 'caparena/battle-reference' end as needs_reference,
            null as printed_name
    from images
    group by benchmark, judge, protocol, provenance, judge_type, level, ties
    union all by name
    select
        p.benchmark, 'published' as origin, case when m.model_type = 'human' then 'people' else p.model_id end as judge,
        case
            when m.model_type = 'human' then 'caparena/vote' when m.model_type = 'metric' then 'caparena/metric'
            when f.value = 1 then 'caparena/battle-reference' else 'caparena/battle'
        end as protocol, 'published' as provenance,
        case p.metric when 'agreement' then 'all' else replace(p.metric, 'agreement_level', '') end as level,
            'included' as ties,
        case when m.model_type in ('human', 'metric') then m.model_type else 'model' end as judge_type,
            100 * p.value as agreement,
        f.value = 1 as needs_reference, p.model as printed_name
    from published as p
    left join models as m using (model_id)
    left join (
        select item, model, value from published where benchmark = 'caparena' and metric = 'needs_reference'
    ) as f using (item, model)
    where p.benchmark = 'caparena' and p.source = 'paper' and p.item = 'Table 2' and p.metric like 'agreement%'
)

select
    key_of(benchmark, judge, origin, '', protocol, provenance) as series_id,
    benchmark, origin, judge, protocol, provenance, level, ties, judge_type,
    coalesce(printed_name, judge_name(judge, protocol)) as judge_name, needs_reference, n_battles, n_images, n_decided,
    coalesce(
        max(case ties when 'included' then n_battles end)
            over asked >= 0.99 * max(case ties when 'included' then n_decided end)
            over asked, true
    ) as is_whole, n_agree, n_judge_ties, n_people_ties, agreement, agreement_se, clusters
from rows
left join decided as d on d.people_id = key_of(benchmark, level, ties, provenance = 'simulated') and origin = 'battles'
window asked as (partition by benchmark, origin, judge, protocol, provenance, level);

-- audit: levels_add_up: every battle has a level or none
select
    benchmark, judge, protocol, provenance, ties, sum(case level when 'all' then n_battles end) as n_all,
    sum(case level when 'all' then 0 else n_battles end) as n_of_levels
from arena_agreement
where origin = 'battles'
group by benchmark, judge, protocol, provenance, ties
having n_all <> n_of_levels;
