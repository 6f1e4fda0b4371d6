-- shows: Every category over all captioners
-- asks: Do categories whose questions captions leave unanswered have low scores?
-- about: 'Cannot: share of all answers that chose "Cannot answer from the caption", the rate of CaptionQA Table 9; of
--     offered: share of the
--    answers to questions that offer it, the rate of Tables 11 to 26.'
-- paper: CaptionQA, Table 9
-- benchmark: captionqa
-- one: prompt
-- columns:
--   - {name: category}
--   - {name: mean_score, head: Mean, decimals: 1}
--   - {name: sd, head: Std, decimals: 1}
--   - {name: min_score, head: Min, decimals: 1}
--   - {name: max_score, head: Max, decimals: 1}
--   - {name: cannot_rate, head: Cannot (%), decimals: 1}
--   - {name: cannot_rate_offered, head: of offered (%), decimals: 1}
--   - {name: n_questions, head: Questions, decimals: 0}

with correlated as (
    select
        *, count(cannot_rate + mean_score) over rows_of_basis as n,
        corr(cannot_rate, 100 - mean_score) over rows_of_basis as r,
        case when n > 3 then 1.959964 / sqrt(n - 3) end as margin
    from captionqa_category_summary
    semi join shown_readers using (protocol, reader, provenance)
    window rows_of_basis as (partition by provenance, prompt, basis)
)

select
    c.* exclude (note), c.domain || '. Basis: ' || basis as section,
    format('Every category over all captioners, {} prompt', prompt) as title,
    nullif(concat_ws(
        ' ', case when n > 2 and abs(r) <= 1 then format(
            'Basis {}: Pearson''s r of the cannot rate of all answers and difficulty (100 minus the mean) over {} '
            || 'categories is {:.2f}', basis, n, r
        ) || case when abs(r) < 1 and margin is not null
            then format(', 95% interval {:.2f} to {:.2f}', tanh(atanh(r) - margin), tanh(atanh(r) + margin))
                else '' end || '.' end, c.note || '.'
    ), '') as note
from correlated as c
where basis <> 'Section 14.5'
order by prompt_place(prompt), basis, domain_order(c.domain), c.domain, mean_score desc, category
