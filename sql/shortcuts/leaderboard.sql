-- macro: [prompt]
-- what: the rows of the mart leaderboard with a caption prompt, board by board, that of the paper first and simulated ones last, and of each the best captioner first
-- example: select board, rank, captioner_name, overall, overall_low, overall_high, reader, domains, provenance from leaderboard('Simple')
-- like: leaderboard

select b.*
from leaderboard as b
where lower(b.prompt) = lower(prompt)
order by b.board_place, b.rank, b.captioner;
