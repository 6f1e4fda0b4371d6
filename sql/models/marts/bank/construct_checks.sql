-- what: checks of the questions of a bank that was made here, as CaptionQA section 4 suggests them, and the number of
--     questions that fail each
-- key: [domain, check_name]
-- source: "CaptionQA sections 4.3 and 4.4. No provenance: it counts questions of a bank; each candidate has its own"
-- columns:
--   domain: [varchar, domain of the bank]
--   check_name: [varchar, [picture, key, candidate, node, blind, false_positives, representative, agreement,
--       duplicates]]
--   position: [bigint, 1..9, place of the check in the order of the construction]
--   statement: [varchar, "statement that the check makes about every question"]
--   n_questions: [bigint, count, 1.., questions of the bank that came from candidates]
--   n_failed: [bigint, count, 0.., questions that fail the check]
--   example: [varchar, question_id of the first of them; null without any]

with tried as (
    select candidate_id, reader, count(*) as trials, count(*) filter (where hit) as hits
    from blind_trials
    group by candidate_id, reader
),

-- If there are several readers, each must have tried the candidate, and no reader may know the answer.
blind as (
    select
        c.candidate_id, min(t.trials) as trials, bool_or(t.hits >= blind_drop_at(len(c.options), t.trials)) as is_known,
        max(random_drop_share(len(c.options), t.trials)) as random_share
    from tried as t
    inner join candidates as c using (candidate_id)
    group by c.candidate_id
),

decided as (
    select candidate_id, decision
    from reviews
    qualify row_number() over (partition by candidate_id order by reviewed_at desc nulls last, reviewer desc) = 1
),

checked as (
    select
        q.domain, q.question_id, i.image_id is not null as has_picture,
        q.answer_index >= 0 and q.answer_index < len(q.options) as has_key, c.candidate_id is not null as has_candidate,
        (q.domain, q.category, q.subcategory, q.aspect) in (select (domain, category, subcategory, aspect)
            from taxonomy) as has_node,
        coalesce(b.trials >= 10 and not b.is_known, false) as is_sighted,
        coalesce(b.random_share < 1, false) as has_few_false, coalesce(g.representative, false) as is_representative,
        coalesce(d.decision in ('keep', 'fix'), r.route = 'accept' and r.validators >= 2, false) as is_agreed,
        count(*) over (partition by q.image_id, lower(trim(q.question)), list_sort(q.options)) = 1 as is_single
    from questions as q
    left join (select distinct image_id from images where path <> '') as i on i.image_id = q.image_id
    left join (select distinct candidate_id from candidates) as c on c.candidate_id = q.candidate_id
    left join blind as b on b.candidate_id = q.candidate_id
    left join question_groups as g on g.candidate_id = q.candidate_id and g.image_id = q.image_id
    left join routes as r on r.candidate_id = q.candidate_id
    left join decided as d on d.candidate_id = q.candidate_id
    where q.candidate_id is not null
),

results as (
    select domain, question_id, s.*
    from checked
    cross join lateral (
        values (1, 'picture', 'its image has a picture', has_picture),
            (2, 'key', 'its key is one of its options', has_key),
            (3, 'candidate', 'the candidate that it came from is in the lake', has_candidate),
            (4, 'node', 'its category is a node of the taxonomy', has_node),
            (5, 'blind', 'a reader without the picture tried it ten times or more, and stayed below the threshold',
                is_sighted),
            (6, 'false_positives', 'random guessing would have dropped it with a probability below 1 %', has_few_false),
            (7, 'representative', 'it stands for its group of duplicates', is_representative),
            (8, 'agreement', 'two validators answered with its key, or a person kept or fixed it', is_agreed),
            (9, 'duplicates', 'no other question of its image asks the same with the same options', is_single)
    ) as s (position, check_name, statement, holds)
)

select
    domain, check_name, cast(min(position) as bigint) as position, min(statement) as statement, count(*) as n_questions,
    count(*) filter (where not holds) as n_failed, min(case when not holds then question_id end) as example
from results
group by domain, check_name;

-- audit: every_question_is_checked: each check looks at all questions of the bank
select domain, min(n_questions) as fewest, max(n_questions) as most
from construct_checks
group by domain
having fewest <> most;
