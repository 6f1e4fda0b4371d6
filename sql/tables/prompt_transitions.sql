-- shows: What a change of the caption prompt gains (points)
-- about: 'Coverage: share of all answers that did not choose "Cannot answer from the caption", which CaptionQA Figures
--     20 to 23 draw; of
--    offered: share of the answers to questions that offer it, 100 less the rate of Tables 11 to 26.'
-- paper: CaptionQA, Figures 17–23
-- benchmark: captionqa
-- columns:
--   - {name: domain}
--   - {name: category}
--   - {name: accuracy_gain, head: Accuracy, decimals: 2, signed: true}
--   - {name: score_gain, head: Score, decimals: 2, signed: true}
--   - {name: coverage_gain, head: Coverage, decimals: 2, signed: true}
--   - {name: coverage_offered_gain, head: of offered, decimals: 2, signed: true}
--   - {name: share_of_long, head: "% of Long's gain", decimals: 1}
--   - {name: n_models, head: Captioners, decimals: 0}

select *, transition || ', level ' || level as section
from prompt_transitions
semi join shown_readers using (protocol, reader, provenance)
order by change_place(transition), transition, level, place, domain, category
