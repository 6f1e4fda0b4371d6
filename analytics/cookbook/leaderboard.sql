-- recipe: leaderboard
-- asks: Which captioner is best?
-- tells: ranks are within a board, which has what was asked alike, the same questions by the same reader
-- first: 1
-- parameters:
--   prompt: [{sql: select m.prompt from main_prompt as m}, caption prompt]

select board, rank, captioner_name, overall, overall_low, overall_high, accuracy, cannot_rate, gap, reader, domains, provenance
from leaderboard($prompt);
