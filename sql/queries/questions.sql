-- Questions, and how each condition answered them. Later statements read the tables of earlier ones.

create or replace temp table questions_conditions as
select
    row_number() over (
        order by provenance <> 'measured', provenance, evidence <> 'caption', evidence, protocol, reader, prompt,
            captioner, repeat
    ) - 1 as c,
    captioner, model_name(captioner) as name, reader, prompt, protocol, evidence, repeat, provenance
from (select distinct captioner, reader, prompt, protocol, evidence, repeat, provenance from counted_answers())
    as found;

create or replace temp table questions_items as
with best as (
    select protocol, reader, prompt, provenance
    from question_difficulty
    group by protocol, reader, prompt, provenance
    order by provenance = 'simulated', prompt <> 'Simple', max(n_models) desc, protocol, reader, prompt, provenance
    limit 1
),

banked as (
    select question_id, image_id, domain, category, subcategory, ordinal, question, options, answer_index
    from questions
    union all
    -- Answers of a bank that the lake does not have.
    select a.question_id, min(a.image_id), min(a.domain), min(a.category), min(a.subcategory), 2147483647, '', [], null
    from counted_answers() as a
    anti join questions as q on q.question_id = a.question_id
    group by a.question_id
)

select
    row_number() over (order by b.domain, b.image_id, b.ordinal, b.question_id) - 1 as i, b.question_id as id,
    b.image_id as image,
    [b.domain, b.category, b.subcategory, coalesce(d.difficulty, '')] as facets, b.question as title, b.options,
    coalesce(b.answer_index, -1) as key, cast([] as varchar[][]) as fields
from banked as b
left join best as f on true
left join question_difficulty as d
    on d.protocol = f.protocol and d.reader = f.reader and d.prompt = f.prompt and d.provenance = f.provenance
    and d.question_id = b.question_id;

-- There are millions of these, so numbers are small: choice is 26 for none and 27 for one beyond the letters.
create or replace temp table questions_tried as
select
    cast(q.i as integer) as i, cast(k.c as usmallint) as c,
    cast(
        case a.outcome when 'correct' then 1 when 'incorrect' then 2 when 'cannot' then 3 when 'unparsed' then 4
            else 5 end as utinyint
    ) as outcome,
    cast(case when a.choice_index is null then 26 when a.choice_index < 26 then a.choice_index else 27 end as utinyint)
        as choice
from counted_answers() as a
inner join questions_items as q on q.id = a.question_id
inner join questions_conditions as k
    on k.captioner = a.captioner and k.reader = a.reader and k.prompt = a.prompt and k.protocol = a.protocol
    and k.evidence = a.evidence and k.repeat = a.repeat and k.provenance = a.provenance;

create or replace temp view questions_asked as
select cast(q.i as integer) as i, cast(k.c as usmallint) as c, a.request_hash, a.repeat, cast(null as varchar) as own
from counted_answers() as a
inner join questions_items as q on q.id = a.question_id
inner join questions_conditions as k
    on k.captioner = a.captioner and k.reader = a.reader and k.prompt = a.prompt and k.protocol = a.protocol
    and k.evidence = a.evidence and k.repeat = a.repeat and k.provenance = a.provenance
where a.request_hash <> '';
