-- what: "battles of CapArena-Auto against its baselines (ref_model) with the votes of the judge whom --reader names, as
--     a JSON list"
-- shape: battles
-- detect: [img, source1, source2, ref_model]
-- columns:
--   image: [img]
--   a: [source1]
--   b: [source2]
--   caption_a: [caption1]
--   caption_b: [caption2]
--   winner: [winner]
--   reference: [ref]
--   baseline: [ref_model]
--   judge_text: [judge]
--   judge_reason: [judge_reason]

select * replace (
    case when baseline = a then b else a end as a, case when baseline = a then a else b end as b,
    case when baseline = a then caption_b else caption_a end as caption_a,
        case when baseline = a then caption_a else caption_b end as caption_b,
    case when baseline = a then 'ba' end as shown,
    case
        when baseline is null
            then 'the battle does not say which captioner is the baseline: add "ref_model" with its name'
        when baseline not in (a, b) then format('the baseline {} is neither source1 nor source2: correct it', baseline)
        else fault
    end as fault
) from named
