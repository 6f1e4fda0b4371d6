-- what: "predictions of VLMEvalKit on benchmarks with options A, B, C … as TSV, CSV or JSON (PRED_FORMAT=tsv): answers
--     about the pictures"
-- shape: answers
-- detect: [index, question, answer, A, B, prediction]
-- quotes: true
-- columns:
--   question: [question]
--   answer: [answer]
--   A: [A]
--   B: [B]
--   C: [C]
--   D: [D]
--   E: [E]
--   F: [F]
--   G: [G]
--   H: [H]
--   I: [I]
--   J: [J]
--   model_response: [prediction]
--   category: [category]
--   subcategory: [l2-category, subcategory]
--   hint: [hint]

with names as (
    select *, string_split(file_stem(), '_') as parts from named
)

select
    * exclude (parts, index, model_answer) replace (
        list_transform(range(1, len(parts) + 1), lambda i: array_to_string(parts[i:], '_') || '_' || index::varchar)
            as image,
        'image' as evidence, 'vlmevalkit' as protocol
    ),
    case
        when try_cast(index as bigint) >= 1000000 then 'they ask a question again with its options in another order'
        when starts_with(model_response, 'Failed to obtain answer') then 'the model failed to answer'
    end as leave_out
from names
