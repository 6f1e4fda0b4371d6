-- what: settings of the authors beside the settings of one's own runs and logs, benchmark by benchmark, with what differs; and where both
--     results are in the lake, the difference of the results
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
--   differs: [boolean, "one's own value is none of the authors'; null when one of them is unknown, and of results"]
--   basis: [varchar, where the authors' value stands; of a result what it is compared with]
--   authors_result: [double, percent, 0..105, "result with the authors' reader, or as printed; of results alone, as all that follow"]
--   own_result: [double, percent, 0..105, "one's own result, on the questions that both have answers to where both are in the lake"]
--   difference: [double, points, -105..105, own_result less authors_result]
--   n_images: [bigint, count, 1.., images behind the difference]
-- intervals:
--   difference: t(clusters); effective images - 1 degrees of freedom; a printed figure is taken as exact

-- One's own results, with the units that wrote them.
with by_unit as (
    select 'captionqa' as benchmark, captioner, prompt, reader, protocol, provenance, unit
    from captionqa_images
    where level = 'domain' and evidence = 'caption' and provenance <> 'published'
    group by captioner, prompt, reader, protocol, provenance, unit
    union all
    select benchmark, captioner, benchmark, judge, benchmark || '/judge', provenance, unit
    from capability_verdicts
    where provenance <> 'published'
    group by benchmark, captioner, judge, provenance, unit
    union all
    select b.benchmark, b.captioner_a, b.benchmark, v.judge, v.protocol, v.provenance, v.unit
    from arena_votes as v
    inner join arena_battles as b on b.battle_id = v.battle_id
    where b.benchmark = 'caparena-auto' and v.judge_type = 'model' and v.provenance <> 'published'
    group by b.benchmark, b.captioner_a, v.judge, v.protocol, v.provenance, v.unit
),

results as (
    select *, key_of(benchmark, captioner, prompt, reader, protocol, provenance) as result_id from by_unit
),

captions_of as (
    select captioner, prompt, unit from caption_sums group by captioner, prompt, unit
),

told as (
    select
        unit,
        case when stage <> 'simulate' and not starts_with(stage, 'ingest/') then 'captionlake'
            else regexp_extract(detail, '"harness":"([^"]+)"', 1) end as program,
        regexp_extract(detail, '"asked":[{][^}]*"temperature":"([^"]+)"', 1) as temperature,
        regexp_extract(detail, '"asked":[{][^}]*"max_tokens":"([^"]+)"', 1) as max_tokens
    from runs
    qualify row_number() over (partition by unit order by execution desc) = 1
),

-- One's own settings: what a log told, what captionlake sent to the model, and what a program does in every run.
found as (
    select r.result_id, 'captioner' as part, s.setting, s.value
    from (select distinct result_id, captioner, prompt from results) as r
    inner join captions_of as c on c.captioner = r.captioner and c.prompt = r.prompt
    left join told as t on t.unit = c.unit
    left join call_settings as k on t.program = 'captionlake' and k.stage = 'caption' and k.model = c.captioner
    cross join lateral (
        values
        ('temperature', coalesce(nullif(t.temperature, ''), k.temperature)),
        ('max tokens', coalesce(nullif(t.max_tokens, ''), k.max_tokens))
    ) as s (setting, value)
    union all
    select r.result_id, 'reader', s.setting, s.value
    from results as r
    inner join told as t on t.unit = r.unit
    inner join call_settings as k on k.model = r.reader and k.protocol = r.protocol
    cross join lateral (values ('temperature', k.temperature), ('max tokens', k.max_tokens)) as s (setting, value)
    where t.program = 'captionlake'
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
),

own as (
    select
        key_of(result_id, part, setting) as own_id,
        string_agg(distinct value, ' or ' order by value) as value
    from found
    where value <> ''
    group by own_id
),

programs as (
    select
        r.result_id, r.benchmark, r.captioner, r.prompt, r.reader, r.protocol, r.provenance,
        coalesce(
            string_agg(distinct nullif(t.program, ''), ' and ' order by nullif(t.program, '')), 'unknown'
        ) as program
    from results as r
    left join told as t on t.unit = r.unit
    group by all
),

settings as (
    select
        g.*, a.part, a.setting, a.place, a.value as authors, o.value as own,
        not contains(' or ' || a.value || ' or ', ' or ' || o.value || ' or ') as differs, a.basis
    from programs as g
    inner join paper_settings as a on a.program = 'authors' and a.benchmark = g.benchmark
    left join own as o
        on o.own_id = key_of(g.result_id, a.part, a.setting)
),

-- The same captions read with the authors' reader and protocol, where the lake has these answers, too.
sides as (
    select o.condition_id as a_id, p.condition_id as b_id
    from conditions as o
    inner join conditions as p on p.captioner = o.captioner and p.prompt = o.prompt and p.provenance = o.provenance
    where o.evidence = 'caption' and p.evidence = 'caption' and o.provenance <> 'published'
        and o.condition_id <> p.condition_id
        and p.reader = paper_reader() and p.protocol = paper_protocol()
),

images as (
    select * from answered() where level = 'domain' and evidence = 'caption'
),

pairs as (
    select * from paired('sides', 'images')
),

domains as (
    select *, count(*) over (partition by a_id, b_id) as n_domains from paired_means('pairs') where metric = 'score'
),

paired_results as (
    select
        a_id as condition_id, domain_mean(mean_a, n_domains) as own_result,
        domain_mean(mean_b, n_domains) as authors_result,
        domain_error(se, difference_error(mean_a, mean_b, se, n_answers, clusters), n_domains) as difference_se,
        domain_clusters(clusters) as clusters, sum(n_images) as n_images
    from domains
    group by a_id, b_id
),

-- Otherwise the printed figure of the captioner and prompt.
printed as (
    select
        key_of('captionqa', s.captioner, s.prompt, s.reader, s.protocol, s.provenance) as result_id,
        'score' as setting, s.score as own_result, p.score as authors_result, s.score_se as difference_se,
        s.effective_images as clusters, s.n_images
    from captionqa_scores as s
    inner join captionqa_scores as p on p.captioner = s.captioner and p.prompt = s.prompt and p.domain = s.domain
    where p.level = 'overall' and p.origin = 'published' and p.evidence = 'caption'
        and s.level = 'overall' and s.origin = 'answers' and s.evidence = 'caption' and s.provenance <> 'published'
    union all
    select
        key_of(s.benchmark, s.captioner, s.benchmark, s.judge, s.benchmark || '/judge', s.provenance), s.metric,
        s.figure, p.figure, s.figure_se, s.effective_files, null
    from capability_figures as s
    inner join capability_figures as p
        on p.benchmark = s.benchmark and p.captioner = s.captioner and p.section = s.section
    where p.metric = s.metric and p.origin = 'published' and s.origin = 'judgments'
        and s.section = 'average' and s.metric = 'f1' and s.repeat = 0 and s.provenance <> 'published'
),

compared as (
    select
        key_of('captionqa', c.captioner, c.prompt, c.reader, c.protocol, c.provenance) as result_id,
        'score' as setting, b.own_result, b.authors_result, b.difference_se, b.clusters, b.n_images,
        'the same captions, read by ' || paper_reader() || ', paired by image' as basis
    from paired_results as b
    inner join conditions as c using (condition_id)
    where b.own_result is not null
    union all
    select p.*, 'the printed figure'
    from printed as p
    where p.result_id not in (
        select key_of('captionqa', captioner, prompt, reader, protocol, provenance)
        from conditions
        semi join paired_results using (condition_id)
    )
),

rows_of as (
    select *, null as authors_result, null as own_result, null as difference_se, null as clusters, null as n_images
    from settings
    union all by name
    select
        g.*, 'result' as part, c.setting, 100 as place, printf('%.2f', c.authors_result) as authors,
        printf('%.2f', c.own_result) as own, c.basis, c.authors_result, c.own_result, c.difference_se,
        c.clusters, c.n_images
    from programs as g
    inner join compared as c using (result_id)
)

select
    r.benchmark, r.captioner, coalesce(m.name, r.captioner) as captioner_name, r.prompt, r.reader, r.protocol,
    r.provenance, r.program, r.part, r.setting, r.place, r.authors, r.own, r.differs, r.basis, r.authors_result, r.own_result,
    r.own_result - r.authors_result as difference,
    r.difference_se, r.clusters, r.n_images
from rows_of as r
left join models as m on m.model_id = r.captioner;
