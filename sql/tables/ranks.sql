-- shows: Places of the captioners by score
-- asks: Which captioner is best in each domain, and how surely?
-- about: 'Places are on a board. Its captioners answered the same questions; a captioner that is alone on its board
--     has no place. In brackets: the places that are possible by the 95% intervals of the differences to all others.'
-- paper: CaptionQA, order of Tables 3 and 11–26
-- benchmark: captionqa
-- one: prompt
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: rank, decimals: 0, best: lowest, ends: true, across: domain}

select
    * exclude (note), captioner_name || ': ' || note as note,
    format('Places of the captioners by score, {} prompt', prompt) as title,
    domain_place(domain) as across_place
from captionqa_ranks
semi join shown_boards using (board_id, captioner, origin)
where metric = 'score'
window row as (partition by provenance, prompt, captioner)
order by prompt_place(prompt), max(rank) filter (where domain = 'Overall') over row nulls last,
    min(rank) over row nulls last, captioner_name, captioner, domain
