-- shows: "Utility gap: accuracy on the image minus accuracy on the caption"
-- paper: CaptionQA, Table 4
-- benchmark: captionqa
-- reads: [captionqa_gap]
-- one: prompt
-- columns:
--   - {name: captioner_name, head: Model}
--   - {name: value, decimals: 2, best: lowest, across: domain}

select
    g.* exclude (note), section, value, value_low, value_high,
    coalesce(list_position(['Overall', 'Natural', 'Document', 'E-commerce', 'Embodied AI'], domain), 9) as across_place
from captionqa_gap as g, lateral (
    values
    (1, 'Gap in points', gap, gap_low, gap_high),
    (2, 'Gap as a share of the accuracy on the image (%)', relative_gap, relative_gap_low, relative_gap_high)
) as f (part, section, value, value_low, value_high)
window row as (partition by provenance, protocol, reader, prompt, captioner)
order by prompt <> 'Simple', prompt, part, max(gap) filter (where domain = 'Overall') over row nulls last, max(gap) over row nulls last, captioner_name, domain
