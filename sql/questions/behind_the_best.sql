-- shows: How far is each captioner behind the best?
-- about: Points of score on the questions that both answered, paired by picture; 0 outside the interval tells two apart, before any
--   correction for many comparisons; `captionlake compare` takes any two and corrects.
-- parameters: {prompt: null}

select
    captioner_name, best_name, round(difference, 2) as difference, round(difference_low, 2) as low, round(difference_high, 2) as high,
    n_images, reader, provenance, note
from captionqa_differences
where metric = 'score'
    and domain = 'Overall' and prompt = coalesce($prompt, (from main_prompt)) and protocol = 'captionqa/upstream'
order by provenance, reader, difference desc nulls last, captioner_name;
