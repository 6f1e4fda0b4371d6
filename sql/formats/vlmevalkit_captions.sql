-- what: "predictions of VLMEvalKit on captioning benchmarks as TSV, CSV or JSON (PRED_FORMAT=tsv): the caption is the
--     prediction"
-- shape: captions
-- detect: [index, question, prediction]
-- not: [A]
-- quotes: true
-- columns:
--   image: [image_id, image_path]
--   caption: [prediction]
--   prompt: [question]

with names as ( -- MODEL_BENCHMARK_17 ends with the name of the picture, where the benchmark was loaded.
    select *, string_split(file_stem(), '_') as parts from named
)

select
    row_in_file, caption, prompt, fault,
    case
        when image is null
            then list_transform(range(1, len(parts) + 1),
                lambda i: array_to_string(parts[i:], '_') || '_' || index::varchar)
        else [image]
    end as image,
    case when starts_with(caption, 'Failed to obtain answer') then 'the model failed to answer' end as leave_out
from names
