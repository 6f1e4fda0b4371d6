-- shows: Score per hundred words of caption
-- paper: CaptionQA, Section 5.2
-- benchmark: captionqa
-- reads: [utility_per_word]
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: score_per_100_words, decimals: 2, best: highest, across: prompt}

-- Simulated captions say nothing of the captions behind scores of another kind.
select *, domain as section, coalesce(nullif(strpos('Short, Simple, Long, Taxonomy-Hinted', prompt), 0), 99) as across_place
from utility_per_word
where (provenance = 'simulated') = (caption_provenance = 'simulated')
order by
    coalesce(list_position(['Natural', 'Document', 'E-commerce', 'Embodied AI', 'Overall', 'Total', 'All', ''], domain), 4.5), domain,
    captioner_name, prompt
