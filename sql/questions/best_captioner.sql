-- shows: Which captioner is best?
-- about: Ranks are within a board, which has what was asked alike, the same questions by the same reader.
-- parameters: {prompt: null}

select board, rank, captioner_name, overall, overall_low, overall_high, accuracy, cannot_rate, gap, reader, domains,
    provenance
from leaderboard
where lower(prompt) = lower(coalesce($prompt, (from main_prompt)))
order by board_place, rank, captioner;
