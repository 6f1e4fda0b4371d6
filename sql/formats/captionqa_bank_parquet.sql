-- what: "CaptionQA's question bank as Hugging Face Parquet (id, images, questions)"
-- shape: bank
-- detect: [id, images, questions]
-- columns:
--   image: [id]
--   picture: [images]
--   questions: [questions]
--   domain: [domain]

select
    row_in_file, image, picture, coalesce(questions, []) as questions, domain,
    case when image is null then 'the id is null: write the image_id, such as nat_001' else fault end as fault
from named
