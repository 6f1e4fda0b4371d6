-- what: "the domains behind the numbers of a condition, by the name in the column domain: one domain, or a mean over
--     several"
-- key: [condition_id, section, domain]
-- source: "CaptionQA Table 3: overall is the mean of four domains; domains of one's own are beyond the paper. No
--     provenance: the condition has it"
-- columns:
--   condition_id:
--   section: [varchar, "a domain; Overall, the mean of the four published domains, or of all that any captioner asked
--       alike has where these are all one's own; else, where a condition has several domains and not all of these,
--       their names: no mean is over published domains and other ones"]
--   domain: [varchar, domain of the section]
--   n_domains: [bigint, count, 1.., domains of the section]
--   whole: [boolean, "the section has all domains of its kind, published or not, that the condition has"]

with found as (
    select distinct condition_id, domain
    from merged_captionqa_images()
    where level = 'domain'
    union
    -- Table 4 does not repeat that its gaps are of Simple.
    select
        condition_of(
            paper_protocol(), paper_reader(), 'caption', coalesce(nullif(model_id, ''), model),
            case metric when 'utility_gap' then paper_prompt() else prompt end, 'published'
        ), domain
    from published
    where benchmark = 'captionqa' and source in ('paper', 'leaderboard')
        and metric in ('score', 'accuracy', 'utility_gap') and model <> ''
        and domain not in ('', 'Overall')
),

sides as (
    select condition_id, is_published_domain(domain) as of_paper, list(domain order by domain) as domains
    from found
    group by condition_id, of_paper
),

asked_alike as (
    select
        s.*, bool_or(of_paper) over alike as any_of_paper,
        len(list_distinct(flatten(list(domains) over alike))) as n_alike
    from sides as s
    inner join conditions as c using (condition_id)
    window alike as (partition by c.protocol, c.reader, c.evidence, c.prompt, c.provenance)
),

named as (
    select
        *, case
            when of_paper and len(domains) = n_published_domains() then 'Overall'
            when not of_paper and not any_of_paper and len(domains) = n_alike then 'Overall'
            else array_to_string(domains, ', ')
        end as section
    from asked_alike
)

select condition_id, section, unnest(domains) as domain, len(domains) as n_domains, true as whole
from named
where section = 'Overall' or len(domains) > 1
union all
select condition_id, domain, domain, 1, len(domains) = 1
from (select condition_id, domains, unnest(domains) as domain from named) as d;
