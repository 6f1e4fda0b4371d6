-- Macros of the SELECTs with rows that people see. The lake's DuckDB file has them, too, without macros of other files.

-- Window functions, as max(x) over (partition by part). A part is a column, or row(a, b) of several. The grammar of
-- ggsql has no window function within a condition or a function, so figures write max_over(x, part) there.
create or replace temp macro min_over(x, part) as min(x) over (partition by part);
create or replace temp macro max_over(x, part) as max(x) over (partition by part);
create or replace temp macro sum_over(x, part) as sum(x) over (partition by part);
create or replace temp macro avg_over(x, part) as avg(x) over (partition by part);
create or replace temp macro arg_min_over(x, y, part) as arg_min(x, y) over (partition by part);
create or replace temp macro arg_max_over(x, y, part) as arg_max(x, y) over (partition by part);
create or replace temp macro any_over(condition, part) as bool_or(condition) over (partition by part);
create or replace temp macro count_over(condition, part) as count(*) filter (where condition) over (partition by part);
create or replace temp macro distinct_over(x, part) as count(distinct x) over (partition by part);

-- A number with its noun: 1 image, 2,000 images.
create or replace temp macro number_of(n, noun) as format('{:,} {}{}', n, noun, if(n = 1, '', 's'));

-- The order of domains: the paper's domains, then a user's own, then means over several domains.
create or replace temp macro domain_order(domain) as
    coalesce(
        list_position(['Natural', 'Document', 'E-commerce', 'Embodied AI', 'Overall', 'Total', 'All', ''], domain), 4.5
    );

-- The order of domains in columns: the mean over all domains, the paper's domains, then a user's own.
create or replace temp macro domain_place(domain) as
    coalesce(list_position(['Overall', 'Natural', 'Document', 'E-commerce', 'Embodied AI'], domain), 9);

-- The order of caption prompts: the one that people look at first, then by name.
create or replace temp macro prompt_place(prompt) as (prompt <> 'Simple', prompt);

-- The order of caption prompts by how much they ask for, as in the paper's text; then a user's own.
create or replace temp macro prompt_step(prompt) as
    coalesce(list_position(['Short', 'Simple', 'Long', 'Taxonomy-Hinted'], prompt), 5);

-- The order of caption prompts in CaptionQA's Tables 3 and 11 to 26; null for a user's own.
create or replace temp macro prompt_in_tables(prompt) as
    list_position(['Long', 'Simple', 'Short', 'Taxonomy-Hinted'], prompt);

-- The order of changes of the caption prompt, as in the paper's text.
create or replace temp macro change_place(transition) as
    list_position(['Short to Simple', 'Simple to Long', 'Short to Long', 'Long to Taxonomy-Hinted'], transition);

-- The heading of rows of models of one type.
create or replace temp macro models_heading(model_type) as case
    when model_type in ('open', 'proprietary', 'rehearsal')
        then upper(left(model_type, 1)) || substr(model_type, 2) || ' models'
    else coalesce(upper(left(nullif(model_type, ''), 1)) || substr(model_type, 2), 'Models unknown to the registry')
end;

-- The heading of rows about CapArena or CapArena-Auto, where a lake has both.
create or replace temp macro arena_heading(benchmark, provenance) as
    case when min(benchmark) over (partition by provenance) <> max(benchmark) over (partition by provenance)
        then case benchmark when 'caparena' then 'CapArena' else 'CapArena-Auto' end end;

-- A name for the board of a condition, if its rows are shown apart from the board with most captioners; otherwise null.
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

-- The images and questions of each domain of CaptionQA, as Table 1 prints them.
create or replace temp macro captionqa_sizes(printed := 'published') as table
    select
        domain, max(value) filter (where metric = 'images') as n_printed_images,
        max(value) filter (where metric = 'questions') as n_printed_questions
    from query_table(printed)
    where benchmark = 'captionqa' and source = 'paper' and item = 'Table 1'
    group by domain;

-- Records of CaptionQA for a public store: one for each captioner, prompt, reader and protocol, from answers or
-- as printed. finished_at is the time of the last run that wrote rows of the record; uuid has the form of UUID 4, and
-- comes from the evaluation's id. Names of items and the sizes of domains tell CaptionQA's questions from a user's
-- own.
create or replace temp macro captionqa_records(
    of := 'captionqa_scores', answered := 'answers', executed := 'runs', models := 'models', asked := 'questions',
    printed := 'published'
) as table
    select *, split_part(model_id, '/', 1) as developer, split_part(model_id, '/', 2) as model,
        epoch(finished_at)::bigint::varchar as stamp,
        concat_ws('_', replace(model_id, '/', '_'), prompt, reader, replace(protocol, '/', '-'), origin) as evaluation,
        concat_ws('/', 'captionqa', evaluation, stamp) as evaluation_id, md5(evaluation_id) as h,
        concat_ws('-', h[:8], h[9:12], '4' || h[14:16], 'a' || h[18:20], h[21:]) as uuid,
        origin = 'published' or (
            select bool_and(coalesce(
                is_named and n_images >= n_printed_images and n_questions >= 0.99 * n_printed_questions, false
            ))
            from (
                select
                    domain, count(distinct image_id) as n_images, count(*) as n_questions,
                    bool_and(regexp_full_match(image_id, '(nat|doc|ecom|emb)_\d+')) as is_named
                from query_table(asked)
                group by domain
            ) as q
            left join captionqa_sizes(printed := printed) using (domain)
        ) is true as is_captionqa
    from (
        select
            s.condition_id, s.captioner, s.prompt, s.reader, s.protocol, s.provenance, s.origin,
            any_value(coalesce(m.name, s.captioner)) as name, any_value(public_weights(m.model_type)) as weights,
            any_value(public_id(s.captioner, m.name, m.aliases, m.organization)) as model_id,
            any_value(coalesce(j.name, s.reader)) as reader_name,
            any_value(public_weights(j.model_type)) as reader_weights,
            any_value(public_id(s.reader, j.name, j.aliases, j.organization)) as reader_id,
            max(coalesce(a.finished_at, p.at)) as finished_at, max(a.n) as n_samples
        from query_table(of) as s
        left join (
            select captioner, prompt, reader, protocol, n.provenance, 'answers' as origin, count(q.unit) as n,
                max(r.finished_at) as finished_at
            from query_table(answered) as n
            left join (select unit, finished_at from query_table(executed) where current) as r using (unit)
            left join query_table(asked) as q using (question_id)
            where n.evidence = 'caption'
            group by all
        ) as a using (captioner, prompt, reader, protocol, provenance, origin)
        cross join (select max(finished_at) as at from query_table(executed) where stage = 'ingest/published') as p
        left join query_table(models) as m on m.model_id = s.captioner
        left join query_table(models) as j on j.model_id = s.reader
        where s.evidence = 'caption' and s.level in ('overall', 'domain')
        group by all
    );
