-- shortcut: leaderboard
-- parameters: [prompt]
-- what: the rows of the mart leaderboard with a caption prompt, measured ones before published and simulated ones, and of each the best captioner first
-- example: select rank, captioner_name, overall, overall_low, overall_high, provenance from leaderboard('Simple')
-- reads: [leaderboard]
-- columns: leaderboard

select b.*
from leaderboard as b
where lower(b.prompt) = lower(prompt)
order by case b.provenance when 'measured' then 1 when 'published' then 2 else 3 end, b.overall desc nulls last, b.captioner;
