-- shows: Where does a captioner lose most against the best?
-- parameters: {captioner: "", prompt: null}

with scores as (
    select
        domain, category, reader, captioner, provenance, score, n_questions, max(score) over alike as best,
        arg_max(captioner, score) over alike as best_captioner
    from captionqa_scores
    semi join (select condition_id, origin, section as domain from shown_boards) using (condition_id, origin, domain)
    where level = 'category' and prompt = coalesce($prompt, (from main_prompt))
        and evidence = 'caption' and origin = 'answers' and score is not null
    window alike as (partition by domain, category, reader, provenance)
)

select
    domain, category, n_questions, round(score, 1) as score, round(best, 1) as best, best_captioner,
    round(best - score, 1) as behind,
    reader, provenance
from scores
where captioner = $captioner
order by behind desc, domain, category, reader
limit 20;
