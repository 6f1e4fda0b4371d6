-- what: "LLaVA's files of answers, where question_id is a picture"
-- shape: captions
-- detect: [question_id, text, answer_id, model_id]
-- columns:
--   prompt: [prompt]

select
    row_in_file, question_id as image, text as caption, model_id as captioner, prompt,
    case
        when not regexp_matches(question_id::varchar, '(?i)\.(jpe?g|png|webp|gif|bmp|tiff?)$')
            then format('question_id {} is no name of a picture: say which column is, such as '
                || '--as captions --map image=COLUMN', question_id::varchar)
    end as fault
from named
