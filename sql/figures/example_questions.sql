-- shows: The hardest and the easiest questions
-- paper: CaptionQA, Figure 30
-- benchmark: captionqa
-- place: 20
-- one: prompt
-- cards: true
-- parameters: {domain: null}

-- At most one question of each image, and other images for the easiest questions than for the five hardest. Of equally
-- hard questions the first by name.
with of_images as (
    select
        protocol, reader, prompt, provenance, domain, image_id,
        min({share: share_correct, question_id: question_id, n_correct: n_correct, n_models: n_models,
            captioner_set: captioner_set}) as hardest,
        min({share: -share_correct, question_id: question_id, n_correct: n_correct, n_models: n_models,
            captioner_set: captioner_set}) as easiest
    from question_difficulty
    semi join shown_readers using (protocol, reader, provenance)
    where n_models > 1 -- what one captioner makes of a question says nothing of the question
    group by all
),

ends as (
    select
        * exclude (hardest, easiest), unnest(if(is_hard, hardest, easiest)),
        row_number() over (partition by protocol, reader, prompt, provenance, domain, is_hard
            order by if(is_hard, hardest, easiest)) as place
    from (
        select
            *, row_number() over (partition by protocol, reader, prompt, provenance, domain
                order by hardest) <= 5 as is_hard
        from of_images
    )
)

select
    protocol, reader, prompt, provenance, e.domain, e.image_id, question as heading, answer_index as marked,
    list_transform(options, lambda o, i: chr((64 + i)::integer) || '. ' || o) as lines,
    format('{}: {} of {} captioners right', if(is_hard, 'Hardest', 'Easiest'), n_correct, n_models) as foot,
    format('By the captioners whose {} caption led to the right answer, which is marked', prompt) as subtitle,
    case
        when max(n_correct) filter (where is_hard) over board = 0
            and min(captioner_set) filter (where is_hard) over board
                = max(captioner_set) filter (where is_hard) over board
            then format('None of {} captioners lets a reader answer the hardest questions',
                max(n_models) filter (where is_hard) over board)
    end as title
from ends as e inner join questions using (question_id)
where if($domain is null, place = 1, place <= 4 and e.domain = $domain)
window board as (partition by protocol, reader, prompt, provenance)
order by prompt_place(prompt), domain_order(e.domain), e.domain, place, is_hard desc
