-- shows: Win rate by the judge less win rate by people on the same battles (points)
-- about: "Positive: the judge overestimates the captioner. A tie is half a win. Battles with a person's caption are
--     left out."
-- paper: CapArena, Figure 5
-- benchmark: caparena
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: bias, decimals: 1, signed: true, across: judge_name}

from arena_bias
where benchmark = 'caparena'
order by people_rate desc nulls last, captioner, judge
