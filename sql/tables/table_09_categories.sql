-- shows: "Every category over all captioners, {prompt} prompt"
-- about: 'Cannot: share of all answers that chose "Cannot answer from the caption", the rate of CaptionQA Table 9; of offered: share of the
--    answers to questions that offer it, the rate of Tables 11 to 26.'
-- paper: CaptionQA, Table 9
-- benchmark: captionqa
-- reads: [captionqa_category_summary, category_difficulty]
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

select
    c.*, c.domain || '. Basis: ' || basis as section,
    format(
        'Basis {}: Pearson''s r of the cannot rate of all answers and difficulty (100 minus the mean) over {} categories is {:.2f}', basis,
        r.n_categories, r.pearson
    ) || coalesce(format(', 95 % interval {:.2f} to {:.2f}', r.pearson_low, r.pearson_high), '') || '.' as note
from captionqa_category_summary as c
left join (from category_difficulty where domain = 'All') as r using (provenance, protocol, reader, prompt, basis)
order by
    basis, coalesce(list_position(['Natural', 'Document', 'E-commerce', 'Embodied AI', 'Overall', 'Total', 'All', ''], c.domain), 4.5),
    c.domain, mean_score desc, category
