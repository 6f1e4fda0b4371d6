-- what: the hardest and the easiest questions of every domain, with options, key and picture
-- key: [protocol, reader, prompt, provenance, domain, extreme, place]
-- source: "CaptionQA Figure 30: at most one question of an image, and other images for the easiest than for the hardest"
-- columns:
--   protocol, reader, prompt, provenance, domain:
--   extreme: [varchar, [hardest, easiest]]
--   place: [bigint, rank, 1..5, 1 the hardest or the easiest; five of each at most]
--   question_id:
--   image_id: [varchar, item that the question is about]
--   category: [varchar, first taxonomy level]
--   question: [varchar, text of the question; null when the lake has answers but no bank]
--   options: ["varchar[]", options in bank order; null without a bank]
--   answer: [bigint, "position of the key in options, from 0"]
--   answer_text: [varchar, text of the key]
--   image_path: [varchar, "file of the first frame, relative to the folder of the lake; null when the lake does not have the picture"]
--   n_models: [bigint, count, captioners that the question was answered for]
--   n_correct: [bigint, count, "of them, correctly"]
--   share_correct: [double, percent, 0..100, n_correct as a share of n_models]

-- Ties are ordered by the names of the questions, so that the order is the same in every run.
with hardest as (
    select
        *, row_number() over (partition by protocol, reader, prompt, provenance, domain order by share_correct, question_id) as place
    from (
        select
            *, row_number() over (
                partition by protocol, reader, prompt, provenance, domain, image_id order by share_correct, question_id
            ) as place_of_image
        from question_difficulty
    ) as q
    where place_of_image = 1
),

easiest as (
    select
        *, row_number() over (partition by protocol, reader, prompt, provenance, domain order by share_correct desc, question_id) as place
    from (
        select
            *, row_number() over (
                partition by protocol, reader, prompt, provenance, domain, image_id order by share_correct desc, question_id
            ) as place_of_image
        from question_difficulty
        where (protocol, reader, prompt, provenance, image_id) not in (
            select (protocol, reader, prompt, provenance, image_id) from hardest where place <= 5
        )
    ) as q
    where place_of_image = 1
),

ends as (
    select *, 'hardest' as extreme from hardest where place <= 5
    union all
    select *, 'easiest' as extreme from easiest where place <= 5
),

pictures as (
    select image_id, min(path) as image_path
    from images
    where frame = 0 and path <> ''
    group by image_id
)

select
    protocol, reader, prompt, provenance, d.domain, extreme, place, question_id, d.image_id, d.category, b.question, b.options,
    b.answer_index as answer, b.options[b.answer_index + 1] as answer_text, image_path, n_models, n_correct, share_correct
from ends as d
left join questions as b using (question_id)
left join pictures as p on p.image_id = d.image_id;

-- audit: images_differ: an image stands for one question of a condition, so that no picture shows both ends
select protocol, reader, prompt, provenance, image_id, count(*) as n_rows
from extreme_questions
group by protocol, reader, prompt, provenance, image_id
having count(*) > 1;

-- audit: key_among_options: the key is one of the options
select question_id, answer, len(options) as n_options
from extreme_questions
where answer < 0 or answer >= len(options);
