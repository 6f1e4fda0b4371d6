-- what: "CaptionQA answers added up by image: all questions, by category and by subcategory. Results start from these
--     rows"
-- key: [unit, level, condition_id, domain, category, subcategory, image_id, repeat]
-- source: a step towards CaptionQA Tables 3, 4 and 9 and Figures 13 to 23
-- fold: answers
-- columns:
--   unit, condition_id, protocol, reader, evidence, captioner, prompt, provenance:
--   level: [varchar, [domain, category, subcategory]]
--   domain:
--   category: [varchar, first level of the domain's taxonomy; empty on the level domain and when the bank names none]
--   subcategory: [varchar, second level of it; empty on the levels above]
--   image_id:
--   repeat: [integer, number of the repetition]
--   n_answers:
--   n_correct, n_incorrect, n_cannot, n_unparsed:
--   n_failed: [bigint, count, calls that gave no reply; they score 0]
--   n_offered, score_parts, question_set:

select *
from (
    select
        unit, condition_id, protocol, reader, evidence, captioner, prompt, provenance,
        case when grouping(category) = 1 then 'domain' when grouping(subcategory) = 1 then 'category'
            else 'subcategory' end as level,
        domain, coalesce(category, '') as category, coalesce(subcategory, '') as subcategory, image_id, repeat,
        sum(n_answers) as n_answers, sum(n_correct) as n_correct,
        sum(n_incorrect) as n_incorrect, sum(n_cannot) as n_cannot, sum(n_unparsed) as n_unparsed,
        sum(n_failed) as n_failed,
        sum(n_offered) as n_offered, sum(score_parts) as score_parts, sum(question_set) as question_set
    from captionqa_image_sums
    group by grouping sets (
        (unit, condition_id, protocol, reader, evidence, captioner, prompt, provenance, domain, image_id, repeat),
        (unit, condition_id, protocol, reader, evidence, captioner, prompt, provenance, domain, category, image_id,
            repeat),
        (unit, condition_id, protocol, reader, evidence, captioner, prompt, provenance, domain, category, subcategory,
            image_id, repeat)
    )
) as leveled
where level <> 'subcategory' or subcategory <> '';

-- audit: one_domain: an image belongs to one domain, or its questions would be counted in two
select image_id, min(domain) as one, max(domain) as other
from captionqa_images
group by image_id
having min(domain) <> max(domain);
