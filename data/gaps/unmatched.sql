-- Ids of one table without a counterpart in another table, and the ids of that table without a counterpart here. $1 are
-- units, separated by commas. Their answers are compared with the bank.
with items as (
    select image_id as id from questions
    union
    select sample_id from annotations
    union
    select image_id from battles
),

-- Captions of each captioner and prompt are compared with the questions of the domains that they are of. People write
-- several captions of a picture.
described as (
    select distinct
        domain, image_id, case when captioner = 'human' then 'captions by human'
            else format('captions by {} under {}', coalesce(name, captioner), prompt) end as source
    from captions
    left join models on model_id = captioner
    where domain in (select domain from questions)
),

asked as (
    select distinct s.source, q.image_id
    from (select distinct domain, source from described) as s
    inner join (select distinct domain, image_id from questions) as q using (domain)
),

named as (
    select distinct question_id as id, regexp_replace(question_id, '/[^/]*$', '') as image_id
    from answers
    where list_contains(string_split($1, ','), unit)
),

sides as (
    select 1 as place, 'captions' as these, 'questions, annotations or battles' as those, true as ours,
        image_id as id from captions
    union all
    select 1, 'captions', 'questions, annotations or battles', false, id from items
    union all
    select 2, 'answers', 'questions', true, image_id from answers
    union all
    select 2, 'answers', 'questions', false, image_id from questions
    union all
    select 3, 'pictures', 'questions, annotations or battles', true, image_id from images
    union all
    select 3, 'pictures', 'questions, annotations or battles', false, id from items
    union all
    select 3, 'pictures', 'questions, annotations or battles', false, image_id from candidates
    union all
    select 4, 'questions', 'pictures', true, image_id from questions
    union all
    select 4, 'questions', 'pictures', false, image_id from images
    union all
    select 5, 'questions', source, true, image_id from asked
    union all
    select 5, 'questions', source, false, image_id from described
    union all
    -- Other questions about the same image show that the bank knows the image.
    select 6, 'answers', 'questions', true, id from named
    union all
    select 6, 'answers', 'questions', false, id from named
    where id in (select question_id from questions) or image_id not in (select image_id from questions)
),

ids as (
    select place, these, those, id, bool_or(ours) as ours, bool_or(not ours) as theirs
    from sides
    group by place, these, those, id
)

select
    place = 6 as of_text, these, those, count(*) filter (ours) as n_of, count(*) filter (not theirs) as n_ids,
    list(id order by id) filter (not theirs) as alone,
    list(id order by id) filter (not ours) as partners
from ids
group by place, these, those
having bool_or(not theirs) and (place = 6 or bool_or(theirs))
order by place, those
