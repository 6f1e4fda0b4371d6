-- what: which domains an overall score is the mean of, the published four where there are answers in any of them, else all there are
-- key: [protocol, reader, evidence, prompt, provenance, origin, domain]
-- source: "CaptionQA Table 3: overall is the mean of four domains; domains of one's own are beyond the paper"
-- columns:
--   protocol, reader, evidence, prompt, provenance:
--   origin: [varchar, [answers, published], "base table that the scores come from: answers or published"]
--   domain:
--   n_domains: [bigint, count, 1.., "domains that a captioner must have for an overall score, the same in all rows of a group"]

with found as (
    select protocol, reader, evidence, prompt, provenance, 'answers' as origin, domain
    from captionqa_node_sums
    union
    select paper_protocol(), paper_reader(), 'caption', prompt, 'published', 'published', domain
    from published
    where benchmark = 'captionqa' and source = 'paper' and metric = 'score' and category = '' and domain not in ('', 'Overall')
),

counted as (
    select
        *,
        count(*) over same_group as n_found,
        max(case when is_published_domain(domain) then 1 else 0 end) over same_group as any_published
    from found
    window same_group as (partition by protocol, reader, evidence, prompt, provenance, origin)
)

select
    protocol, reader, evidence, prompt, provenance, origin, domain,
    case when any_published = 1 then n_published_domains() else n_found end as n_domains
from counted
where any_published = 0 or is_published_domain(domain);
