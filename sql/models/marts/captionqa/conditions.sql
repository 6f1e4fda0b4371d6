-- model: conditions
-- what: every combination of protocol, reader, evidence, captioner, prompt and provenance that has scores, numbered so that marts join by
--     one column
-- grain: one row per protocol, reader, evidence, captioner, prompt and provenance
-- key: [protocol, reader, evidence, captioner, prompt, provenance]
-- inputs: [captionqa_node_sums, published, models]
-- source: captionlake
-- columns:
--   condition_id: [bigint, not null, 1.., number of the condition; another lake numbers them in another way]
--   protocol: [varchar, "how questions were put, parsed and scored; captionqa/upstream for printed rows"]
--   reader: [varchar, id of the model that answered; the paper's reader (section 3.5) for printed rows]
--   evidence: [varchar, [caption, image, none]]
--   captioner: [varchar, id of the captioner; under evidence image the model that looked; empty under evidence none]
--   captioner_name: [varchar, name of the captioner to show to people]
--   prompt: [varchar, caption prompt; empty unless evidence is caption]
--   provenance: [varchar, [published, measured, simulated]]
--   size: [varchar, parameters as printed; empty when undisclosed; null when the registry does not know the captioner]
--   model_type: [varchar, "open, proprietary, human, metric or stub; null when the registry does not know the captioner"]

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
