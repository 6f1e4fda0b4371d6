-- what: the settings of the authors beside the settings of your own runs and logs, and the difference of the results
-- key: [benchmark, captioner, prompt, reader, protocol, provenance, part, setting]
-- source: the papers and the code of their authors, as in paper_settings; differences are beyond the papers
-- columns:
--   benchmark: [varchar, [captionqa, capability, cv-capbench, caparena-auto]]
--   captioner, captioner_name:
--   prompt: [varchar, caption prompt; the benchmark's name where it has one prompt]
--   reader: [varchar, model_id of one's own reader or judge]
--   protocol: [varchar, "protocol of the answers, judgments or votes"]
--   provenance: [varchar, [measured, simulated]]
--   program: [varchar, "program that ran it: captionlake, lmms-eval, or unknown where rows came from other files"]
--   part: [varchar, [captioner, reader, result]]
--   setting: [varchar, "setting, as in paper_settings; of a result its metric"]
--   place: [bigint, 1.., place of the setting in lists]
--   authors: [varchar, value of the authors; null of a result that they do not print]
--   own: [varchar, one's own value; null when unknown]
--   differs: [boolean, "the user's own value differs from every value of the authors; null when one of the values is
--       unknown, and for results"]
--   basis: [varchar, where the authors' value stands; of a result what it is compared with]
--   authors_result: [double, percent, 0..105, "by the authors' reader or as printed; null of settings, as all numbers"]
--   own_result: [double, percent, 0..105, "one's own result, where both are in the lake on common questions"]
--   difference: [double, points, -105..105, own_result less authors_result]
--   n_images: [bigint, count, 1.., images behind the difference]
-- intervals:
--   difference: t(clusters); effective images - 1 degrees of freedom; a printed figure is taken as exact

-- The user's own results, with the units that wrote them.
with results as (
    select *, key_of(benchmark, captioner, prompt, reader, protocol, provenance) as result_id
    from (
        select distinct 'captionqa' as benchmark, captioner, prompt, reader, protocol, provenance, unit
        from captionqa_images where level = 'domain' and evidence = 'caption'
        union all
        select distinct benchmark, captioner, benchmark, judge, benchmark || '/judge', provenance, unit
        from capability_verdicts
        union all
        select distinct b.benchmark, b.captioner_a, b.benchmark, v.judge, v.protocol, v.provenance, v.unit
        from arena_votes as v
        inner join arena_battles as b on b.battle_id = v.battle_id
        where b.benchmark = 'caparena-auto' and v.judge_type = 'model'
    ) as by_unit
    where provenance <> 'published'
),

told as (
    select
        unit, detail,
        case when stage <> 'simulate' and not starts_with(stage, 'ingest/') then 'captionlake'
            else regexp_extract(detail, '"harness":"([^"]+)"', 1) end as program
    from runs
    qualify row_number() over (partition by unit order by execution desc) = 1
),

-- The units of the captions and of the answers of a result. A log tells how its captioner was asked.
asked as (
    select
        r.result_id, 'captioner' as part, 'caption' as stage, r.captioner as model, null as protocol, t.program,
        regexp_extract(t.detail, '"asked":[{][^}]*"temperature":"([^"]+)"', 1) as temperature,
        regexp_extract(t.detail, '"asked":[{][^}]*"max_tokens":"([^"]+)"', 1) as max_tokens
    from (select distinct result_id, captioner, prompt from results) as r
    inner join (select distinct captioner, prompt, unit from caption_sums) as c using (captioner, prompt)
    inner join told as t on t.unit = c.unit
    union all
    select r.result_id, 'reader', null, r.reader, r.protocol, t.program, '', ''
    from results as r
    inner join told as t on t.unit = r.unit
),

-- The user's own settings: from a log, from the requests that captionlake sent, and from a program's behaviour in every
-- run.
own as (
    select result_id, part, setting, string_agg(distinct value, ' or ' order by value) as value
    from (
        select a.result_id, a.part, s.setting, s.value
        from asked as a
        left join call_settings as k on a.program = 'captionlake' and k.model = a.model
            and k.stage = coalesce(a.stage, k.stage) and k.protocol = coalesce(a.protocol, k.protocol)
        cross join lateral (
            values
            ('temperature', coalesce(nullif(a.temperature, ''), k.temperature)),
            ('max tokens', coalesce(nullif(a.max_tokens, ''), k.max_tokens))
        ) as s (setting, value)
        union all
        select r.result_id, p.part, p.setting, p.value
        from results as r
        inner join told as t on t.unit = r.unit
        inner join paper_settings as p on p.program = t.program and p.benchmark = r.benchmark
        where p.setting <> 'protocol'
        union all
        select r.result_id, s.part, s.setting, s.value
        from results as r
        cross join lateral (
            values ('captioner', 'prompt', r.prompt), ('reader', 'model', r.reader), ('reader', 'protocol', r.protocol)
        ) as s (part, setting, value)
    ) as found
    where value <> ''
    group by result_id, part, setting
),

programs as (
    select
        r.* exclude (unit), coalesce(m.name, r.captioner) as captioner_name,
        coalesce(string_agg(distinct nullif(program, ''), ' and ' order by nullif(program, '')), 'unknown') as program
    from results as r
    left join told as t on t.unit = r.unit
    left join models as m on m.model_id = r.captioner
    group by all
),

-- The same captions read with the authors' reader and protocol, where the lake has these answers, too.
sides as (
    select
        o.condition_id as a_id, p.condition_id as b_id,
        key_of('captionqa', o.captioner, o.prompt, o.reader, o.protocol, o.provenance) as result_id
    from conditions as o
    inner join conditions as p using (captioner, prompt, provenance)
    where o.evidence = 'caption' and provenance <> 'published' and o.condition_id <> p.condition_id
        and p.evidence = 'caption' and p.reader = paper_reader() and p.protocol = paper_protocol()
),

domains as (
    select *, count(*) over (partition by a_id, b_id) as n_domains from paired_captions('sides') where metric = 'score'
),

paired_results as (
    select
        s.result_id, 'score' as setting, 'same captions, read by ' || paper_reader() || ', paired by image' as basis,
        domain_mean(mean_a, n_domains) as own_result, domain_mean(mean_b, n_domains) as authors_result,
        domain_error(se, difference_error(mean_a, mean_b, se, n_answers, clusters), n_domains) as difference_se,
        domain_clusters(clusters) as clusters, sum(n_images) as n_images
    from domains as d
    inner join sides as s using (a_id, b_id)
    group by s.result_id
),

-- Otherwise the printed figure of the captioner and prompt.
printed as (
    select
        key_of('captionqa', captioner, prompt, s.reader, s.protocol, s.provenance) as result_id, 'score' as setting,
        'the printed figure' as basis, s.score as own_result, p.score as authors_result, s.score_se as difference_se,
        s.effective_images as clusters, s.n_images
    from captionqa_scores as s
    inner join captionqa_scores as p using (captioner, prompt, domain)
    where s.level = 'overall' and s.evidence = 'caption' and s.origin = 'answers' and s.provenance <> 'published'
        and p.level = 'overall' and p.evidence = 'caption' and p.origin = 'published'
    union all
    select
        key_of(benchmark, captioner, benchmark, s.judge, benchmark || '/judge', s.provenance), s.metric,
        'the printed figure', s.figure, p.figure, s.figure_se, s.effective_files, null
    from capability_figures as s
    inner join capability_figures as p using (benchmark, captioner)
    where s.section = 'average' and s.metric = 'f1' and s.origin = 'judgments' and s.repeat = 0
        and s.provenance <> 'published' and p.section = 'average' and p.metric = 'f1' and p.origin = 'published'
),

compared as (
    select * from paired_results where own_result is not null
    union all by name
    select * from printed anti join paired_results using (result_id)
)

select
    g.* exclude (result_id), a.part, a.setting, a.place, a.value as authors, o.value as own, a.basis,
    not contains(' or ' || a.value || ' or ', ' or ' || o.value || ' or ') as differs,
    null as authors_result, null as own_result, null as difference, null as difference_se, null as clusters,
    null as n_images
from programs as g
inner join paper_settings as a on a.program = 'authors' and a.benchmark = g.benchmark
left join own as o on o.result_id = g.result_id and o.part = a.part and o.setting = a.setting
union all by name
select
    g.* exclude (result_id), 'result' as part, c.* exclude (result_id), 100 as place,
    printf('%.2f', c.authors_result) as authors, printf('%.2f', c.own_result) as own,
    c.own_result - c.authors_result as difference
from programs as g
inner join compared as c using (result_id);
