-- what: "battles of CapArena with the votes of people, and of the judge whom --reader names, as a JSON list (img,
--     source1, source2, winner …)"
-- shape: battles
-- detect: [img, source1, source2]
-- not: [ref_model]
-- columns:
--   image: [img]
--   a: [source1]
--   b: [source2]
--   caption_a: [caption1]
--   caption_b: [caption2]
--   winner: [winner]
--   level: [cluster]
--   reference: [ref]
--   annotator: [annotator]
--   seconds: [seconds]
--   judge_text: [judge]
--   judge_reason: [judge_reason]

select * replace (
    case -- The released files are named after their judge.
        when ends_with(file_stem(), 'eval_gpt_ref') then 'GPT-4o (with ref)' when ends_with(file_stem(), 'eval_gpt')
            then 'GPT-4o'
    end as judge,
    regexp_replace(level, '^level ', '') as level
) from named
