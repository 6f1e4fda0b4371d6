-- shows: Leaderboard of CaptionQA
-- about: The captioners of a board answered the same questions, and ranks are within a board. The page of a captioner
--     has its categories.
-- paper: CaptionQA, Tables 3, 4 and 11 to 26
-- benchmark: captionqa
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: prompt, page: first}
--   - {name: board, page: first}
--   - {name: rank, decimals: 0}
--   - {name: overall, head: Score, decimals: 2, page: main}
--   - {name: score, decimals: 2, across: domain}
--   - {name: accuracy, decimals: 2}
--   - {name: gap, head: Utility gap, decimals: 1}
--   - {name: cannot_rate_offered, head: Cannot, decimals: 1}
--   - {name: n_questions, head: Questions, decimals: 0, page: extra}
--   - {name: reader, page: extra}
--   - {name: size, page: extra}
--   - {name: model_type, head: Type, page: extra}

select
    board.* exclude (note), board.captioner_name || ': ' || board.note as note, part.domain, part.score, part.score_low,
    part.score_high,
    domain_place(part.domain) as across_place
from leaderboard as board
inner join captionqa_scores as part
    on part.level = 'domain' and part.condition_id = board.condition_id and part.origin = board.origin
    and list_contains(string_split(board.domains, ', '), part.domain)
order by
    prompt_place(board.prompt), board.protocol <> 'captionqa/upstream', board.board_place, board.rank nulls last,
    board.captioner_name,
    board.captioner, part.domain
