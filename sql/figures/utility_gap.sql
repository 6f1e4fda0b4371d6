-- shows: Accuracy on the image and on the model’s own caption
-- paper: CaptionQA, Figure 4 and Table 4
-- benchmark: captionqa
-- place: 4
-- one: prompt

select
    captioner, captioner_name, domain, prompt, reader, protocol, provenance, image_accuracy, caption_accuracy,
    greatest(image_accuracy, caption_accuracy) as right_end, format('{:.1f}', gap) as points,
    case
        when count_over(true, rows_of) > 1 and min_over(board_id, rows_of) = max_over(board_id, rows_of)
            and coalesce(min_over(n_images, rows_of) = max_over(n_images, rows_of), true)
            and min_over(coalesce(gap_low, gap), rows_of) > 0
                and round(min_over(gap, rows_of)) < round(max_over(gap, rows_of))
            then format('Captions lose {:.0f} to {:.0f} points of what models see', min_over(gap, rows_of),
                max_over(gap, rows_of))
    end as title,
    format('Accuracy (%) on the image and on its own caption ({} prompt); number: the gap', prompt) as subtitle
from (select *, concat_ws('/', provenance, prompt) as rows_of from captionqa_gap)
inner join (
    select condition_id, origin, section as domain, board_id from shown_boards where is_headline
) using (condition_id, origin, domain)
where gap is not null
order by prompt_place(prompt), gap, captioner_name

VISUALISE captioner_name AS y
DRAW range MAPPING caption_accuracy AS xmin, image_accuracy AS xmax SETTING stroke => '#e8b9a5', linewidth => 3,
    hinge => null
DRAW point MAPPING image_accuracy AS x, 'on the image' AS fill
DRAW point MAPPING caption_accuracy AS x, 'on its caption' AS fill
DRAW text MAPPING right_end AS x, points AS label SETTING hjust => 'left', offset => [5, 0]
SCALE fill TO ['#1a1a1a', '#b34700']
LABEL title => 'Accuracy on the image and on the model’s own caption', x => 'accuracy, %'
