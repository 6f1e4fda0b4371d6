-- shows: All domains
-- about: They have one colour each in all figures.
-- columns:
--   - {name: domain}

select domain from captionqa_scores where level = 'domain'
union
select domain from caption_lengths where domain <> 'Overall'
union
select domain from taxonomy_nodes
union
select domain from dataset_statistics where domain <> 'Total'
order by domain
