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
