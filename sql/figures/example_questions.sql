-- shows: The hardest and the easiest questions
-- paper: CaptionQA, Figure 30
-- reads: [extreme_questions]
-- one: prompt
-- cards: true
-- parameters: {domain: null}

select
    protocol, reader, prompt, provenance, domain, image_id, question as heading, answer as marked,
    list_transform(options, lambda o, i: chr((64 + i)::integer) || '. ' || o) as lines,
    format('{}: {} of {} captioners right', if(extreme = 'hardest', 'Hardest', 'Easiest'), n_correct, n_models) as foot,
    format('By the captioners whose {} caption led to the right answer, which is marked', prompt) as subtitle,
    case
        when max(n_correct) filter (where extreme = 'hardest') over board = 0
            then format('None of {} captioners lets a reader answer the hardest questions', max(n_models) over board)
    end as title
from extreme_questions
where question is not null and if($domain is null, place = 1, place <= 4 and domain = $domain)
window board as (partition by protocol, reader, prompt, provenance)
order by domain, place, extreme desc
