-- what: "the question bank that tables, figures and pages show for each provenance: the largest one"
-- example: select q.* from question_options as q semi join shown_banks using (bank)
-- columns:
--   provenance:
--   bank: name of the bank

select d.provenance, d.bank
from dataset_statistics as d
where d.domain <> 'Total'
group by d.provenance, d.bank
qualify row_number() over (partition by d.provenance order by sum(d.questions) desc, d.bank) = 1;
