-- what: every combination of protocol, reader, evidence, captioner, prompt and provenance that has scores, numbered so that marts join by
--     one column
-- key: [protocol, reader, evidence, captioner, prompt, provenance]
-- source: captionlake
-- columns:
--   condition_id, protocol, reader, evidence, captioner, captioner_name, prompt, provenance, size, model_type:

with found as (
    select protocol, reader, evidence, captioner, prompt, provenance, cast(null as varchar) as printed_name
    from captionqa_node_sums
    union all
    select paper_protocol(), paper_reader(), 'caption', coalesce(nullif(model_id, ''), model), prompt, 'published', model
    from published
    where benchmark = 'captionqa' and source in ('paper', 'leaderboard') and metric in ('score', 'accuracy') and model <> ''
),

conditions_found as (
    select protocol, reader, evidence, captioner, prompt, provenance, min(printed_name) as printed_name
    from found
    group by protocol, reader, evidence, captioner, prompt, provenance
)

select
    row_number() over (order by protocol, reader, evidence, captioner, prompt, provenance) as condition_id,
    protocol, reader, evidence, captioner, coalesce(name, printed_name, captioner) as captioner_name, prompt, provenance, size, model_type
from conditions_found
left join models on model_id = captioner;

-- audit: numbers_differ: a number stands for one condition
select condition_id, count(*) as n_conditions
from conditions
group by condition_id
having count(*) > 1;
