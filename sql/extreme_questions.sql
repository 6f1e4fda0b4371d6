-- model: extreme_questions
-- what: the hardest and the easiest questions of every domain, with options, key and picture
-- grain: one row per protocol, reader, prompt, provenance, domain, extreme and place
-- key: [protocol, reader, prompt, provenance, domain, extreme, place]
-- inputs: [question_difficulty, questions, images]
-- source: "CaptionQA Figure 30: at most one question of an image, and other images for the easiest than for the hardest"
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the model that answered]
--   prompt: [varchar, caption prompt]
--   provenance: [varchar, "published, measured or simulated"]
--   domain: [varchar, domain]
--   extreme: [varchar, [hardest, easiest]]
--   place: [bigint, rank, 1..5, 1 the hardest or the easiest; five of each at most]
--   question_id: [varchar, question]
--   image_id: [varchar, item that the question is about]
--   category: [varchar, first taxonomy level]
--   question: [varchar, text of the question; null when the lake has answers but no bank]
--   options: ["varchar[]", options in bank order; null without a bank]
--   answer: [bigint, "position of the key in options, from 0"]
--   answer_text: [varchar, text of the key]
--   image_path: [varchar, "file of the first frame, relative to the folder of the lake; null when the picture is not at hand"]
--   n_models: [bigint, count, captioners that the question was answered for]
--   n_correct: [bigint, count, "of them, correctly"]
--   share_correct: [double, percent, 0..100, n_correct as a share of n_models]

with difficulties as (
    select protocol, reader, prompt, provenance, domain, question_id, image_id, category, n_models, n_correct, share_correct
    from question_difficulty
),

bank as (
    select question_id, question, options, answer_index, options[answer_index + 1] as answer
    from questions
),

pictures as (
    select image_id, min(path) as path
    from images
    where frame = 0 and path <> ''
    group by image_id
),

-- The order of ties is by the names of the questions, so that it is the same in every run.
hardest_of_image as (
    select
        protocol, reader, prompt, provenance, domain, question_id, image_id, category, n_models, n_correct, share_correct,
        row_number() over (partition by protocol, reader, prompt, provenance, image_id order by share_correct, question_id) as turn
    from difficulties
),

hardest as (
    select
        protocol, reader, prompt, provenance, domain, question_id, image_id, category, n_models, n_correct, share_correct,
        row_number() over (partition by protocol, reader, prompt, provenance, domain order by share_correct, question_id) as place
    from hardest_of_image
    where turn = 1
),

easiest_of_image as (
    select
        d.protocol, d.reader, d.prompt, d.provenance, d.domain, d.question_id, d.image_id, d.category, d.n_models, d.n_correct,
            d.share_correct,
        row_number() over (partition by d.protocol, d.reader, d.prompt, d.provenance, d.image_id order by d.share_correct desc,
            d.question_id) as turn
    from difficulties as d
    left join hardest as h
        on h.place <= 5 and h.protocol = d.protocol and h.reader = d.reader and h.prompt = d.prompt
        and h.provenance = d.provenance and h.image_id = d.image_id
    where h.image_id is null
),

easiest as (
    select
        protocol, reader, prompt, provenance, domain, question_id, image_id, category, n_models, n_correct, share_correct,
        row_number() over (partition by protocol, reader, prompt, provenance, domain order by share_correct desc, question_id) as place
    from easiest_of_image
    where turn = 1
),

chosen as (
    select protocol, reader, prompt, provenance, domain, 'hardest' as extreme, place, question_id, image_id, category, n_models, n_correct,
        share_correct
    from hardest
    where place <= 5
    union all
    select protocol, reader, prompt, provenance, domain, 'easiest' as extreme, place, question_id, image_id, category, n_models, n_correct,
        share_correct
    from easiest
    where place <= 5
)

select
    c.protocol, c.reader, c.prompt, c.provenance, c.domain, c.extreme, c.place, c.question_id, c.image_id, c.category, b.question,
    b.options,
    b.answer_index as answer,
    b.answer as answer_text,
    i.path as image_path,
    c.n_models, c.n_correct, c.share_correct
from chosen as c
left join bank as b on b.question_id = c.question_id
left join pictures as i on i.image_id = c.image_id;

-- audit: images_differ: an image stands for one question of a condition, so that no picture shows both ends
select protocol, reader, prompt, provenance, image_id, count(*) as n_rows
from extreme_questions
group by protocol, reader, prompt, provenance, image_id
having count(*) > 1;

-- audit: key_among_options: the key is one of the options
select question_id, answer, len(options) as n_options
from extreme_questions
where answer < 0 or answer >= len(options);
