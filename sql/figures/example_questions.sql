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
        *, row_number() over (image order by share_correct, question_id) = 1 as is_hardest,
        row_number() over (image order by share_correct desc, question_id) = 1 as is_easiest
    from question_difficulty
    semi join shown_readers using (protocol, reader, provenance)
    where n_models > 1 -- what one captioner makes of a question says nothing of the question
    window image as (partition by protocol, reader, prompt, provenance, image_id)
),

hardest as (
    select *, is_hardest and row_number() over (at_this_end order by share_correct, question_id) <= 5 as is_hard
    from of_images
    window at_this_end as (partition by protocol, reader, prompt, provenance, domain, is_hardest)
),

ends as (
    select *, row_number() over (at_this_end order by if(is_hard, 1, -1) * share_correct, question_id) as place
    from (select *, bool_or(is_hard) over (partition by protocol, reader, prompt, provenance, image_id) as is_taken
        from hardest)
    where is_hard or is_easiest and not is_taken
    window at_this_end as (partition by protocol, reader, prompt, provenance, domain, is_hard)
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
