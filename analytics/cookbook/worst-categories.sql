-- recipe: worst-categories
-- asks: Where does a captioner lose most against the best?
-- first: 9
-- parameters:
--   captioner: [null, id of a captioner]
--   prompt: [{sql: select m.prompt from main_prompt as m}, caption prompt]
--   reader: ["", id of a reader; all when empty]
--   protocol: [captionqa/upstream, how questions were put]
--   n: [20, rows at most]
-- example: {captioner: stub-captioner-small}

with scores as (
    select domain, category, reader, captioner, provenance, score, n_questions
    from captionqa_categories
    where prompt = $prompt and protocol = $protocol and evidence = 'caption' and origin = 'answers' and score is not null and ($reader = '' or reader = $reader)
),

best as (
    select domain, category, reader, provenance, max(score) as best, arg_max(captioner, score) as best_captioner
    from scores
    group by all
)

select
    domain, category, n_questions, round(score, 1) as score, round(best, 1) as best, best_captioner, round(best - score, 1) as behind,
    reader, provenance
from scores
join best using (domain, category, reader, provenance)
where captioner = $captioner
order by behind desc, domain, category, reader
limit $n;
