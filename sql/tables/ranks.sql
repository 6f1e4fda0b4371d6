-- shows: Places of the captioners by score
-- about: 'Places are among the captioners that answered the same questions. In brackets: 2.5% and 97.5% quantiles of the place over
--    bootstrap samples of the images, where there are answers.'
-- paper: CaptionQA, order of Tables 3 and 11–26
-- benchmark: captionqa
-- reads: [captionqa_ranks]
-- one: prompt
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: rank, decimals: 0, best: lowest, ends: true, across: domain}

select
    *, format('Places of the captioners by score, {} prompt', prompt) as title,
    coalesce(list_position(['Overall', 'Natural', 'Document', 'E-commerce', 'Embodied AI'], domain), 9) as across_place
from captionqa_ranks
where metric = 'score'
window row as (partition by provenance, protocol, reader, prompt, captioner)
order by prompt <> 'Simple', prompt, max(rank) filter (where domain = 'Overall') over row nulls last, min(rank) over row nulls last, captioner_name, domain
