-- Macros of the SELECTs that people see the rows of. They are in the lake's DuckDB file, too, and call no macro of another file.

-- What holds over all rows of a part, as max(x) over (partition by part). A part is a column, or row(a, b) of several. The grammar of ggsql
-- has no window function within a condition or a function, so figures write max_over(x, part) there.
create or replace temp macro min_over(x, part) as min(x) over (partition by part);
create or replace temp macro max_over(x, part) as max(x) over (partition by part);
create or replace temp macro sum_over(x, part) as sum(x) over (partition by part);
create or replace temp macro avg_over(x, part) as avg(x) over (partition by part);
create or replace temp macro arg_min_over(x, y, part) as arg_min(x, y) over (partition by part);
create or replace temp macro arg_max_over(x, y, part) as arg_max(x, y) over (partition by part);
create or replace temp macro any_over(condition, part) as bool_or(condition) over (partition by part);
create or replace temp macro count_over(condition, part) as count(*) filter (where condition) over (partition by part);
create or replace temp macro distinct_over(x, part) as count(distinct x) over (partition by part);

-- The order of domains: the paper's, then a user's own, then what is over several.
create or replace temp macro domain_order(domain) as
    coalesce(list_position(['Natural', 'Document', 'E-commerce', 'Embodied AI', 'Overall', 'Total', 'All', ''], domain), 4.5);

-- The order of domains in columns: what is over all of them, the paper's, then a user's own.
create or replace temp macro domain_place(domain) as
    coalesce(list_position(['Overall', 'Natural', 'Document', 'E-commerce', 'Embodied AI'], domain), 9);

-- The order of caption prompts: the one that people look at first, then by name.
create or replace temp macro prompt_place(prompt) as (prompt <> 'Simple', prompt);

-- The order of changes of the caption prompt, as the paper tells them.
create or replace temp macro change_place(transition) as
    list_position(['Short to Simple', 'Simple to Long', 'Short to Long', 'Long to Taxonomy-Hinted'], transition);

-- The heading of rows of models of one type.
create or replace temp macro models_heading(model_type) as case
    when model_type in ('open', 'proprietary', 'rehearsal') then upper(left(model_type, 1)) || substr(model_type, 2) || ' models'
    else coalesce(upper(left(nullif(model_type, ''), 1)) || substr(model_type, 2), 'Models unknown to the registry')
end;

-- The heading of rows about CapArena or CapArena-Auto, where a lake has both.
create or replace temp macro arena_heading(benchmark, provenance) as
    case when min(benchmark) over (partition by provenance) <> max(benchmark) over (partition by provenance)
        then case benchmark when 'caparena' then 'CapArena' else 'CapArena-Auto' end end;

-- Boards whose rows stand apart from those of most captioners that were asked alike, by condition; null where none does.
create or replace temp macro boards_apart(boards := 'boards') as table
    select condition_id, case when not bool_and(is_first) then arg_max(board, (is_headline, not is_first)) end as apart
    from query_table(boards)
    group by condition_id;

-- A model as public stores name it: an alias with its organization's name, which comes first.
create or replace temp macro public_id(model_id, name, aliases, organization) as coalesce(
    (list_filter(list_append(coalesce(aliases, []), name), lambda a: regexp_full_match(a, '[\w.-]+/[\w.-]+')))[1],
    regexp_replace(coalesce(nullif(organization, ''), 'unknown'), '[^\w.-]+', '-', 'g') || '/' || model_id
);

create or replace temp macro public_weights(model_type) as
    case model_type when 'open' then 'open_weights' when 'proprietary' then 'closed_weights' else 'unknown' end;

-- Evaluations of CaptionQA as records of a public store: one for each captioner, prompt, reader and protocol, from answers or as printed. The
-- time is that of the last run that wrote rows of it, and the id of a file has the form of UUID 4 and comes from the evaluation's.
create or replace temp macro captionqa_records(
    of := 'captionqa_scores', answered := 'answers', executed := 'runs', models := 'models'
) as table
    select *, concat_ws('-', h[:8], h[9:12], '4' || h[14:16], 'a' || h[18:20], h[21:]) as uuid
    from (
        select *, md5(evaluation_id) as h
        from (
            select
                s.*, split_part(model_id, '/', 1) as developer, split_part(model_id, '/', 2) as model,
                epoch(s.finished_at)::bigint::varchar as stamp,
                concat_ws('/', 'captionqa', concat_ws('_', replace(model_id, '/', '_'), s.prompt, s.reader, replace(s.protocol, '/', '-'), s.origin), stamp) as evaluation_id
            from (
                select
                    s.condition_id, s.captioner, s.prompt, s.reader, s.protocol, s.provenance, s.origin,
                    any_value(public_id(s.captioner, m.name, m.aliases, m.organization)) as model_id,
                    any_value(coalesce(m.name, s.captioner)) as name, any_value(public_weights(m.model_type)) as weights,
                    any_value(public_id(s.reader, j.name, j.aliases, j.organization)) as reader_id,
                    any_value(coalesce(j.name, s.reader)) as reader_name, any_value(public_weights(j.model_type)) as reader_weights,
                    max(coalesce(a.finished_at, p.finished_at)) as finished_at
                from query_table(of) as s
                left join (
                    select a.captioner, a.prompt, a.reader, a.protocol, a.provenance, max(r.finished_at) as finished_at
                    from (select distinct captioner, prompt, reader, protocol, provenance, unit from query_table(answered) where evidence = 'caption') as a
                    inner join query_table(executed) as r on r.unit = a.unit and r.current
                    group by all
                ) as a on s.origin = 'answers' and a.captioner = s.captioner and a.prompt = s.prompt and a.reader = s.reader and a.protocol = s.protocol
                    and a.provenance = s.provenance
                cross join (select max(finished_at) as finished_at from query_table(executed) where stage = 'ingest/published') as p
                left join query_table(models) as m on m.model_id = s.captioner
                left join query_table(models) as j on j.model_id = s.reader
                where s.evidence = 'caption' and s.level in ('overall', 'domain')
                group by all
            ) as s
        )
    );
