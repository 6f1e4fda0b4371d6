-- shows: "CapArena-Auto: wins less losses against each baseline, in percent of the battles"
-- about: "+1 for a win, 0 for a tie, -1 for a loss, in percent of the battles: over the benchmark's 200 images for a
--     baseline (wins - losses) / 2. 0 against itself. With 200 images, 95% intervals reach up to 14 points to each
--     side, and the interval of the average up to 8."
-- paper: CapArena, Table 8
-- benchmark: caparena
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: score, decimals: 1, best: highest, across: baseline_name}
--   - {name: words, decimals: 1}

-- Boards of other battles stand below, each with its best value.
select
    * replace (case when coalesce(baseline, '') = '' then 'Average' else baseline_name end as baseline_name),
    'Judge ' || judge_name || coalesce('. ' || apart, '') as section,
    case when coalesce(baseline, '') = '' then mean_words end as words,
    cast(coalesce(baseline, '') <> '' as integer) as across_place
from arena_auto as a
left join boards_apart() using (condition_id)
order by
    judge_name, coalesce(apart, ''),
    max(score) filter (where coalesce(baseline, '') = '') over (partition by provenance, judge_name,
        captioner) desc nulls last, captioner,
    coalesce(baseline, '') <> ''
