-- macro: [prompt]
-- what: the leaderboard of a caption prompt in a few columns, board by board. The paper's board is first, simulated
--     boards are last, and the best captioner of a board is first
-- example: select board, rank, captioner_name, overall, interval, provenance from leaderboard('Simple')
-- columns:
--   board: "name of the board; a long name is the number of its domains, or its domain, and the number that the mart
--     leaderboard has as board_place"
--   rank: place on the board by overall
--   captioner_name: name of the captioner
--   overall: mean of the scores of the domains, in percent
--   interval: ends of its 95% interval, rounded; null of published rows. The mart leaderboard has them as overall_low
--     and overall_high
--   provenance: measured, published or simulated

with known as (
    select case
        when prompt is null or count(*) = 0 or bool_or(lower(l.prompt) = lower(prompt)) then true
        else error(format('the lake has no prompt {}; nearest: {}', prompt,
            arg_min(l.prompt, damerau_levenshtein(lower(l.prompt), lower(prompt)))))
    end as is_known
    from (select distinct b.prompt from leaderboard as b) as l
)

select
    if(
        length(b.board) <= 20, b.board,
        format('{} no. {}', if(contains(b.domains, ', '), format('{} domains', len(string_split(b.domains, ', '))),
            b.domains), b.board_place)
    ) as board,
    b.rank, b.captioner_name, b.overall, format('{:.1f}–{:.1f}', b.overall_low, b.overall_high) as interval,
    b.provenance
from leaderboard as b
where lower(b.prompt) = lower(prompt) and (select is_known from known)
order by b.board_place, b.rank, b.captioner;
