-- Annotated elements, and what judges said of the captions about them and models of the pictures.

create or replace temp table elements_conditions as
select
    row_number() over (order by provenance <> 'measured', provenance, form, benchmark, judge, captioner, repeat) - 1
        as c,
    captioner, model_name(captioner) as name, judge as reader, '' as prompt, benchmark as protocol, form as evidence,
    repeat, provenance
from (
    select distinct captioner, judge, benchmark, 'caption' as form, repeat, provenance
    from counted_judgments()
    union all
    select distinct model, judge, benchmark, 'question', repeat, provenance
    from counted_element_answers()
) as found;

create or replace temp table elements_items as
select
    row_number() over (order by benchmark, sample_id, dimension, element) - 1 as i,
    benchmark || '/' || dimension || '/' || sample_id || '/' || element as id, sample_id as image,
    [benchmark, view, dimension, media_type] as facets,
    replace(dimension, '_', ' ') || ': ' || case when element = '' then '' else element || ', ' end || value as title,
    cast([] as varchar[]) as options, -1 as key, [['Annotated', value], ['Media', media]] as fields,
    benchmark, sample_id, dimension, element
from annotations;

create or replace temp table elements_found as
select
    i.i, cast(k.c as integer) as c,
    case j.verdict when 'positive' then 1 when 'negative' then 2 when 'miss' then 3 when 'unparsed' then 4
        else 5 end as outcome,
    26 as choice, nullif(j.request_hash, '') as request_hash, j.repeat, j.reason
from counted_judgments() as j
inner join elements_items as i
    on i.benchmark = j.benchmark and i.sample_id = j.sample_id and i.dimension = j.dimension and i.element = j.element
inner join elements_conditions as k
    on k.evidence = 'caption' and k.captioner = j.captioner and k.reader = j.judge and k.protocol = j.benchmark
    and k.repeat = j.repeat and k.provenance = j.provenance
union all
select
    i.i, cast(k.c as integer),
    case e.outcome when 'correct' then 1 when 'incorrect' then 2 when 'unparsed' then 4 else 5 end,
    26, nullif(e.request_hash, ''), e.repeat, e.answer
from counted_element_answers() as e
inner join elements_items as i
    on i.benchmark = e.benchmark and i.sample_id = e.sample_id and i.dimension = e.dimension and i.element = e.element
inner join elements_conditions as k
    on k.evidence = 'question' and k.captioner = e.model and k.reader = e.judge and k.protocol = e.benchmark
    and k.repeat = e.repeat and k.provenance = e.provenance;

create or replace temp view elements_tried as
select i, c, outcome, choice
from elements_found;

create or replace temp view elements_asked as
select i, c, request_hash, repeat, nullif(reason, '') as own
from elements_found;
