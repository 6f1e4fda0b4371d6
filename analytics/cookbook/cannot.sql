-- recipe: cannot
-- asks: Where does the reader say that it cannot answer?
-- first: 12
-- parameters:
--   least: [5, questions that a category has at least]
--   prompt: [{sql: select m.prompt from main_prompt as m}, caption prompt]
--   reader: ["", id of a reader; all when empty]
--   protocol: [captionqa/upstream, how questions were put]
--   n: [20, rows at most]

select
    captioner_name, domain, category, n_questions, round(cannot_rate_offered, 1) as cannot, round(accuracy, 1) as accuracy,
    reader, provenance
from captionqa_categories
where prompt = $prompt and protocol = $protocol and evidence = 'caption' and origin = 'answers' and n_questions >= $least and ($reader = '' or reader = $reader)
order by cannot_rate_offered desc nulls last, captioner_name, domain, category, reader
limit $n;
