-- recipe: differences
-- asks: How far is each captioner behind the best?
-- tells: "points of score on the questions that both answered, paired by picture; 0 outside the interval tells two apart, before any
--     correction for many comparisons; captionlake compare takes any two and corrects"
-- first: 8
-- parameters:
--   domain: [Overall, "domain, or Overall for their mean"]
--   reader: ["", id of a reader; all when empty]
--   prompt: [{sql: select m.prompt from main_prompt as m}, caption prompt]
--   protocol: [captionqa/upstream, how questions were put]

select
    captioner_name, best_name, round(difference, 2) as difference, round(difference_low, 2) as low, round(difference_high, 2) as high,
    n_images, reader, provenance, note
from captionqa_differences
where metric = 'score' and domain = $domain and prompt = $prompt and protocol = $protocol and ($reader = '' or reader = $reader)
order by provenance, reader, difference desc nulls last, captioner_name;
