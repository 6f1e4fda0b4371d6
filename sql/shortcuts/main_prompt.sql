-- what: "the caption prompt that tables and figures of a single prompt show: Simple if the lake has answers to captions
--     of it or no answers at all, otherwise the prompt with the most answers"
-- example: select * from main_prompt
-- columns:
--   prompt: caption prompt

select
    coalesce(
        (
            select r.prompt
            from captionqa_scores as r
            where r.level = 'domain' and r.origin = 'answers' and r.evidence = 'caption'
            group by r.prompt
            order by r.prompt <> 'Simple', sum(r.n_answers) desc, r.prompt
            limit 1
        ),
        'Simple'
    ) as prompt;
