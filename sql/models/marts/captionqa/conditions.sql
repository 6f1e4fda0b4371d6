-- what: every combination of protocol, reader, evidence, captioner, prompt and provenance that has results, under the short name by which
--     marts are joined
-- key: [condition_id]
-- source: "captionlake; CaptionQA Table 3: overall is the mean of four domains; domains of one's own are beyond the paper"
-- columns:
--   condition_id, protocol, reader, evidence, captioner, captioner_name, prompt, provenance, size, model_type:
--   published_domains: [boolean, not null, "Overall is the mean of the four published domains, because some captioner has answers in any of
--       them; else of all domains that any captioner has"]
--   n_domains: [bigint, count, "domains that a captioner must have for an overall score, the same for all captioners; null for printed
--       conditions without any"]

with found as (
    select protocol, reader, evidence, captioner, prompt, provenance, domain, cast(null as varchar) as printed_name
    from merged_captionqa_images()
    where level = 'domain'
    union all
    -- Table 4 does not repeat that its gaps are of Simple.
    select
        paper_protocol(), paper_reader(), 'caption', coalesce(nullif(model_id, ''), model),
        case metric when 'utility_gap' then 'Simple' else prompt end, 'published', nullif(nullif(domain, ''), 'Overall'), model
    from published
    where benchmark = 'captionqa' and source in ('paper', 'leaderboard') and metric in ('score', 'accuracy', 'utility_gap') and model <> ''
),

overall as (
    select
        protocol, reader, evidence, captioner, prompt, provenance, min(printed_name) as printed_name, list(distinct domain) as domains
    from found
    group by protocol, reader, evidence, captioner, prompt, provenance
),

asked_alike as (
    select *, list_distinct(flatten(list(domains) over (partition by protocol, reader, evidence, prompt, provenance))) as all_domains
    from overall
)

select
    condition_of(protocol, reader, evidence, captioner, prompt, provenance) as condition_id, protocol, reader, evidence, captioner,
    coalesce(name, printed_name, captioner) as captioner_name, prompt, provenance, size, model_type,
    published_domains,
    case when published_domains then n_published_domains() else nullif(len(all_domains), 0) end as n_domains
from (
    select *, len(list_filter(all_domains, lambda domain: is_published_domain(domain))) > 0 as published_domains
    from asked_alike
) as a
left join models on model_id = captioner;

-- audit: digests_differ: a digest stands for one condition
select condition_id, count(*) as n_conditions
from conditions
group by condition_id
having count(*) > 1;
