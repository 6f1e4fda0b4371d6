-- shows: How long the captions are that were compared
-- paper: CapArena, Figure 2
-- benchmark: caparena
-- place: 2

select
    captioner, coalesce(captioner_name, captioner) as name, provenance, mean_words, words_05, words_25, words_75,
    words_95, mean_words_low, mean_words_high,
    greatest(mean_words, coalesce(words_95, 0)) as label_at,
    format('{:,} captions', sum_over(n_captions, board)::bigint) as note,
    case
        when min_over(coalesce(mean_words_high, mean_words), board) < max_over(coalesce(mean_words_low, mean_words),
            board) then format(
            'The longest captions have {:.0f} words on average, the shortest {:.0f}', max_over(mean_words, board),
            min_over(mean_words, board)
        )
    end as title,
    case when words_05 is null then 'Mean words, as printed'
        else 'Lines: 5 to 95% and 25 to 75% of the captions; dot: mean' end as subtitle
from (select *, benchmark <> 'caparena' as is_other, concat_ws('/', provenance, benchmark) as board from arena_lengths)
where mean_words is not null
qualify dense_rank() over (partition by provenance order by is_other, benchmark) = 1
order by mean_words desc, name, captioner

VISUALISE name AS y
DRAW range MAPPING words_05 AS xmin, words_95 AS xmax SETTING hinge => null, linewidth => 0.8, stroke => '#8a8a8a'
DRAW range MAPPING words_25 AS xmin, words_75 AS xmax SETTING hinge => null, linewidth => 5, stroke => '#c4c4c4'
DRAW point MAPPING mean_words AS x SETTING fill => '#595959'
DRAW text MAPPING label_at AS x, mean_words AS label SETTING format => '{:num %.1f}', hjust => 'left', offset => [5, 0]
SCALE x FROM [0, null]
LABEL title => 'How long the captions are that were compared', x => 'words'
