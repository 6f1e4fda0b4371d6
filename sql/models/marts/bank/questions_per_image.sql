-- what: the number of questions of every image
-- key: [bank, domain, image_id]
-- source: "CaptionQA Figure 8: its violins and boxes are drawn from these rows. No provenance: the bank tells simulated
--     questions from others"
-- columns:
--   bank: [varchar, "sample for the sample set, simulation for simulated questions, ingested for all others"]
--   domain:
--   image_id: [varchar, item that the questions are about]
--   n_questions: [bigint, count, 1.., questions]
--   n_categories: [bigint, count, categories among them]

select bank_of(source) as bank, domain, image_id, count(*) as n_questions, count(distinct category) as n_categories
from questions
group by bank_of(source), domain, image_id;

-- audit: all_questions: every question of the bank is counted once
select s.n_questions, q.n_questions as n_questions_of_bank
from (select sum(n_questions) as n_questions from questions_per_image) as s
cross join (select count(*) as n_questions from questions) as q
where coalesce(s.n_questions, 0) <> q.n_questions;
