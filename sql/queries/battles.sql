-- Battles, and the votes of people, metrics and judges.

create or replace temp table battles_conditions as
select
    row_number()
        over (order by provenance <> 'measured', provenance, judge_type <> 'human', judge_type, judge, protocol,
        position) - 1
        as c,
    judge as captioner, model_name(judge) as name, judge_type as reader, '' as prompt, protocol, position as evidence,
    0 as repeat, provenance
from (select distinct judge, judge_type, protocol, position, provenance from counted_votes()) as found;

create or replace temp table battles_items as
select
    row_number() over (order by b.benchmark, b.image_id, b.ordinal, b.battle_id) - 1 as i, b.battle_id as id,
    b.image_id as image,
    [b.benchmark, model_name(b.captioner_a), model_name(b.captioner_b), coalesce(cast(b.level as varchar), '')]
        as facets,
    model_name(b.captioner_a) || ' against ' || model_name(b.captioner_b) as title,
    cast([] as varchar[]) as options, -1 as key,
    [['Caption A', b.caption_a], ['Caption B', b.caption_b], ['Reference', b.reference]] as fields
from battles as b;

create or replace temp table battles_found as
select
    i.i, cast(k.c as integer) as c, case v.winner when 'a' then 1 when 'b' then 2 when 'tie' then 3 when 'failed' then 5
        else 4 end
        as outcome,
    26 as choice, nullif(v.request_hash, '') as request_hash, v.reason, v.score_a, v.score_b
from counted_votes() as v
inner join battles_items as i on i.id = v.battle_id
inner join battles_conditions as k
    on k.captioner = v.judge and k.reader = v.judge_type and k.protocol = v.protocol and k.evidence = v.position
    and k.provenance = v.provenance;

create or replace temp view battles_tried as
select i, c, outcome, choice
from battles_found;

create or replace temp view battles_asked as
select
    i, c, request_hash, 0 as repeat,
    coalesce(nullif(reason, ''), case when score_a is not null and score_b is not null
        then 'A ' || score_a || ', B ' || score_b end) as own
from battles_found;
