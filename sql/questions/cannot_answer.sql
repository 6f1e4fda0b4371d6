-- shows: Where does the reader say that it cannot answer?
-- parameters: {prompt: null}

select
    captioner_name, domain, category, n_questions, round(cannot_rate_offered, 1) as cannot,
    round(accuracy, 1) as accuracy,
    reader, provenance
from captionqa_scores
semi join shown_readers using (protocol, reader, provenance)
where level = 'category' and prompt = coalesce($prompt, (from main_prompt))
    and evidence = 'caption' and origin = 'answers' and n_questions >= 5
order by cannot_rate_offered desc nulls last, captioner_name, domain, category, reader
limit 20;
