-- shows: How far is each captioner behind the best?
-- about: Points of score on the questions that both answered, paired by picture; 0 outside the interval tells two apart, before any
--   correction for many comparisons; `captionlake compare` takes any two and corrects.
-- parameters: {prompt: null}

select
    captioner_name, best_name, round(difference, 2) as difference, round(difference_low, 2) as low, round(difference_high, 2) as high,
    n_images, reader, provenance, note
from captionqa_differences
semi join (select condition_id, section as domain from boards where is_headline) using (condition_id, domain)
semi join shown_readers using (protocol, reader, provenance)
where metric = 'score' and prompt = coalesce($prompt, (from main_prompt))
order by provenance, captionqa_differences.difference desc nulls last, captioner_name, captioner;
