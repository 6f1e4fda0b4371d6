-- shows: Which caption prompt is best for each captioner?
-- about: Of each captioner the prompts under which it was asked the same questions.

with asked as (
    select *, count(*) over alike as n_alike
    from captionqa_scores
    semi join (select condition_id, origin, section as domain from boards where is_headline) using (condition_id,
        origin, domain)
    semi join shown_readers using (protocol, reader, provenance)
    window alike as (partition by captioner, provenance, origin, domain, question_set)
    qualify n_alike > 1
)

select captioner_name, prompt, domain, round(score, 1) as score, score_low, score_high, n_questions, provenance
from asked
qualify dense_rank() over (partition by captioner, provenance, domain order by n_alike desc, n_questions desc,
    question_set) = 1
order by provenance = 'published', captioner_name, captioner, domain, asked.score desc, prompt;
