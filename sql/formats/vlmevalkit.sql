-- what: "benchmarks as VLMEvalKit's TSV: a picture in base64, or as image the index of the line that has it, options A,
--     B, C …, answer by letter"
-- shape: bank
-- detect: [index, image, A, B]
-- not: [prediction]
-- quotes: true
-- columns:
--   image: [image]
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
--   category: [category]
--   subcategory: [l2-category, subcategory]
--   domain: [domain]
--   hint: [hint]

with first_lines as ( -- Lines with the same picture are about one item.
    select md5(image) as digest, arg_min(index, row_in_file) as index from file where length(image) > 64 group by all
),

pictures as (
    select f.index, l.index as first_index from file as f inner join first_lines as l on l.digest = md5(f.image)
        where length(f.image) > 64
)

select
    n.* exclude (index) replace (
        file_stem() || '_' || coalesce(p.first_index, n.index) as image, coalesce(n.domain, file_stem()) as domain,
        case when p.index is null
            then format('the line has no picture, and no line has the index {}', left(n.image, 64))
                else n.fault end as fault,
        case when p.first_index = n.index then n.image end as picture
    ),
    case when try_cast(n.index as bigint) >= 1000000
        then 'they ask a question again with its options in another order' end as leave_out
from named as n
left join pictures as p on p.index = case when length(n.image) > 64 then n.index else n.image end
