-- shows: Changes of the caption prompt in a few numbers
-- about: 'Coverage: share of all answers that did not choose "Cannot answer from the caption", which CaptionQA Figures
--     20 to 23 draw; of
--    offered: share of the answers to questions that offer it, 100 less the rate of Tables 11 to 26.'
-- paper: CaptionQA, Sections 14.1–14.4
-- benchmark: captionqa
-- columns:
--   - {name: transition, head: Change}
--   - {name: n_rows, head: Rows, decimals: 0}
--   - {name: mean_accuracy_gain, head: Accuracy, decimals: 2, signed: true}
--   - {name: mean_score_gain, head: Score, decimals: 2, signed: true}
--   - {name: mean_coverage_gain, head: Coverage, decimals: 2, signed: true}
--   - {name: mean_coverage_offered_gain, head: of offered, decimals: 2, signed: true}
--   - {name: least_gain, head: Least, decimals: 1, signed: true}
--   - {name: greatest_gain, head: Greatest, decimals: 1, signed: true}
--   - {name: n_losing, head: Lose, decimals: 0}
--   - {name: n_losing_5, head: Lose > 5, decimals: 0}
--   - {name: n_flat, head: Change < 2, decimals: 0}
--   - {name: share_of_long, head: "% of Long's gain", decimals: 1}
--   - {name: pearson, head: Pearson's r, decimals: 3}
--   - {name: pearson_offered, head: r of offered, decimals: 3}

select *, 'Means over the rows of the level ' || level as section
from prompt_transition_summary
semi join shown_readers using (protocol, reader, provenance)
order by change_place(transition), transition, level
