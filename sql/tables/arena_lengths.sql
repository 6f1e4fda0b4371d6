-- shows: Words of the captions that were compared
-- paper: CapArena, Figure 2 and Table 8
-- benchmark: caparena
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: mean_words, head: Mean, decimals: 1}
--   - {name: words_05, head: 5%, decimals: 0}
--   - {name: words_25, head: 25%, decimals: 0}
--   - {name: words_50, head: Median, decimals: 0}
--   - {name: words_75, head: 75%, decimals: 0}
--   - {name: words_95, head: 95%, decimals: 0}
--   - {name: n_captions, head: Captions, decimals: 0}

select *, arena_heading(benchmark, provenance) as section
from arena_lengths
order by mean_words desc nulls last, benchmark, captioner
