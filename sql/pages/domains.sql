-- shows: All domains
-- about: They have one colour each in all figures. Readers and question banks have numbers of images and questions.
-- columns:
--   - {name: domain}

with asked as (
    select provenance, protocol, reader, domain, max(n_images) as n_images, max(n_questions) as n_questions
    from captionqa_scores
    where level = 'domain' and evidence = 'caption'
    group by provenance, protocol, reader, domain
)

select
    a.provenance, a.protocol, a.reader, null as bank, a.domain, coalesce(a.n_images, d.images) as n_images,
    coalesce(a.n_questions, d.questions) as n_questions
from asked as a
left join dataset_statistics as d on d.domain = a.domain and d.provenance = a.provenance and a.provenance = 'published'
union all by name
select provenance, bank, domain, images as n_images, questions as n_questions
from dataset_statistics
where domain <> 'Total'
union all by name
select distinct provenance, domain from caption_lengths where domain <> 'Overall'
union all by name
select distinct provenance, domain from taxonomy_nodes
order by all
