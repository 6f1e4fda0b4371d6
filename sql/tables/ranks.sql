-- shows: Places of the captioners by score
-- asks: In which places may each captioner really be?
-- about: 'Places are on a board, whose captioners answered the same questions; a captioner that is alone on its board has none. In brackets:
--    the places that are possible by the 95% intervals of the differences to all others.'
-- paper: CaptionQA, order of Tables 3 and 11–26
-- benchmark: captionqa
-- one: prompt
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: rank, decimals: 0, best: lowest, ends: true, across: domain}

select
    * exclude (note), captioner_name || ': ' || note as note, format('Places of the captioners by score, {} prompt', prompt) as title,
    coalesce(list_position(['Overall', 'Natural', 'Document', 'E-commerce', 'Embodied AI'], domain), 9) as across_place
from captionqa_ranks
semi join shown_boards using (board_id, captioner, origin)
where metric = 'score'
window row as (partition by provenance, prompt, captioner)
order by prompt <> 'Simple', prompt, max(rank) filter (where domain = 'Overall') over row nulls last, min(rank) over row nulls last, captioner_name, captioner, domain
