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
with images_of_questions as (
    select protocol, reader, prompt, provenance, domain, image_id, min(share_correct) as lowest, max(share_correct) as highest
    from question_difficulty
    group by protocol, reader, prompt, provenance, domain, image_id
),

hardest as (
    select
        protocol, reader, prompt, provenance, domain, image_id, min(question_id) as question_id,
        row_number() over (partition by protocol, reader, prompt, provenance, domain order by lowest, min(question_id)) as place
    from images_of_questions
    inner join question_difficulty using (protocol, reader, prompt, provenance, domain, image_id)
    where share_correct = lowest
    group by protocol, reader, prompt, provenance, domain, image_id, lowest
),

easiest as (
    select
        protocol, reader, prompt, provenance, domain, image_id, min(question_id) as question_id,
        row_number() over (partition by protocol, reader, prompt, provenance, domain order by highest desc, min(question_id)) as place
    from images_of_questions
    inner join question_difficulty using (protocol, reader, prompt, provenance, domain, image_id)
    where share_correct = highest and (protocol, reader, prompt, provenance, image_id) not in (
        select (protocol, reader, prompt, provenance, image_id) from hardest where place <= 5
    )
    group by protocol, reader, prompt, provenance, domain, image_id, highest
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
from ends as e
inner join question_difficulty as d using (protocol, reader, prompt, provenance, question_id)
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
