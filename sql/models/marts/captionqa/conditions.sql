-- what: every combination of protocol, reader, evidence, captioner, prompt and provenance that has results, with a
--     short id by which marts are joined
-- key: [condition_id]
-- source: captionlake
-- columns:
--   condition_id, protocol, reader, evidence, captioner, captioner_name, prompt, provenance, size, model_type:

with found as (
    select distinct protocol, reader, evidence, captioner, prompt, provenance, cast(null as varchar) as printed_name
    from merged_captionqa_images()
    where level = 'domain'
    union all
    -- Table 4 does not repeat that its gaps are of Simple.
    select
        paper_protocol(), paper_reader(), 'caption', coalesce(nullif(model_id, ''), model),
        case metric when 'utility_gap' then paper_prompt() else prompt end, 'published', min(model)
    from published
    where benchmark = 'captionqa' and source in ('paper', 'leaderboard')
        and metric in ('score', 'accuracy', 'utility_gap') and model <> ''
    group by all
)

select
    condition_of(protocol, reader, evidence, captioner, prompt, provenance) as condition_id, protocol, reader, evidence,
    captioner, coalesce(name, printed_name, captioner) as captioner_name, prompt, provenance, size, model_type
from found
left join models on model_id = captioner;

-- audit: digests_differ: a digest stands for one condition
select condition_id, count(*) as n_conditions
from conditions
group by condition_id
having count(*) > 1;
