-- Nodes that candidates are about and that the taxonomy of their domain does not have.
select
    domain, category, subcategory, aspect, count(*) as n_candidates,
    count(distinct candidate_id) filter (candidate_id in (select candidate_id from reviews)) as n_reviewed
from candidates
where (domain, category, subcategory, aspect) not in (select domain, category, subcategory, aspect from taxonomy)
group by domain, category, subcategory, aspect
order by domain, category, subcategory, aspect
