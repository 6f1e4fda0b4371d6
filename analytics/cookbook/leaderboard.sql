-- recipe: leaderboard
-- asks: Which captioner is best?
-- tells: ranks are among rows of one reader and provenance
-- first: 1
-- parameters:
--   prompt: [Simple, caption prompt]

select rank, captioner_name, overall, overall_low, overall_high, accuracy, cannot_rate, gap, reader, provenance
from leaderboard($prompt);
