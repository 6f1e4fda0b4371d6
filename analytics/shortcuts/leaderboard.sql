-- shortcut: leaderboard
-- parameters: [prompt]
-- what: the rows of the mart leaderboard with a caption prompt, the best captioner first
-- example: select rank, captioner_name, overall, overall_low, overall_high, provenance from leaderboard('Simple')
-- reads: [leaderboard]
-- columns: leaderboard

select b.*
from leaderboard as b
where lower(b.prompt) = lower(prompt)
order by b.overall desc nulls last, b.captioner;
