-- shows: Readers side by side
-- asks: Which reader can be trusted?
-- about: 'Faithfulness: share of "cannot answer" where the caption is empty. Accuracy: on one caption per question,
--     the same for every reader.'
-- paper: CaptionQA, Figure 2
-- benchmark: captionqa
-- columns:
--   - {name: reader_name, head: Reader}
--   - {name: faithfulness, head: Faithfulness (%), decimals: 2, best: highest}
--   - {name: accuracy, head: Accuracy (%), decimals: 2, best: highest}
--   - {name: accuracy_sd, head: SD over repeats, decimals: 2, best: lowest}
--   - {name: flip_rate, head: Flips (%), decimals: 2, best: lowest}
--   - {name: questions_per_second, decimals: 2, best: highest}
--   - {name: n_pool, head: Pool, decimals: 0}
--   - {name: n_repeats, head: Repeats, decimals: 0}

-- Readers that were asked other questions without a caption stand below, each set with its best value.
with sets as (
    select protocol, blind_set, row_number() over (partition by protocol order by count(*) desc, blind_set) as place
    from reader_comparison
    where blind_set is not null
    group by protocol, blind_set
)

select r.*, 'Protocol ' || protocol || case when place > 1 then '. Without a caption, set '
    || chr(cast(64 + place as integer)) else '' end as section
from reader_comparison as r
left join sets using (protocol, blind_set)
order by protocol, coalesce(place, 1), accuracy desc nulls last, reader
