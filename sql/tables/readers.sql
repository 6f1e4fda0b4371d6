-- shows: Readers side by side
-- about: 'Faithfulness: share of "cannot answer" where the caption is empty. Accuracy: on one caption per question, the same for every reader.'
-- paper: CaptionQA, Figure 2
-- benchmark: captionqa
-- reads: [reader_comparison]
-- all: true
-- columns:
--   - {name: reader_name, head: Reader}
--   - {name: faithfulness, head: Faithfulness (%), decimals: 2, best: highest}
--   - {name: accuracy, head: Accuracy (%), decimals: 2, best: highest}
--   - {name: accuracy_sd, head: SD over repeats, decimals: 2, best: lowest}
--   - {name: flip_rate, head: Flips (%), decimals: 2, best: lowest}
--   - {name: questions_per_second, decimals: 2, best: highest}
--   - {name: n_pool, head: Pool, decimals: 0}
--   - {name: n_repeats, head: Repeats, decimals: 0}

select *, 'Protocol ' || protocol as section
from reader_comparison
order by protocol, accuracy desc nulls last, reader
