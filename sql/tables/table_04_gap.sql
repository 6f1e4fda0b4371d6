-- shows: "Utility gap: accuracy on the image minus accuracy on the caption"
-- asks: How much do captions lose against the image itself?
-- paper: CaptionQA, Table 4
-- benchmark: captionqa
-- one: prompt
-- columns:
--   - {name: captioner_name, head: Model}
--   - {name: value, decimals: 2, best: lowest, across: domain}

-- Gaps of other questions, and of fewer pictures, stand below, each with their best value.
with gaps as (
    select
        *, concat_ws(
            '. ', case when not is_first then board end,
            case when bool_or(n_images < n_most) over (partition by provenance, prompt, captioner)
                then 'Fewer pictures' end
        ) as of
    from (
        select g.*, b.board, coalesce(b.is_first, true) as is_first,
            max(n_images) over (partition by g.provenance, g.prompt, b.board, domain) as n_most
        from captionqa_gap as g
        semi join shown_readers using (protocol, reader, provenance)
        left join (
            select condition_id, arg_max(board, (is_headline, not is_first)) as board, bool_and(is_first) as is_first
            from boards group by condition_id
        ) as b using (condition_id)
    )
)

select
    g.* exclude (note), captioner_name || ', ' || domain || ': ' || note as note,
    concat_ws('. ', nullif(of, ''), metric) as section, value, value_low,
    value_high,
    domain_place(domain) as across_place
from gaps as g, lateral (
    values
    (1, 'Gap in points', gap, gap_low, gap_high),
    (2, 'Gap as a share of the accuracy on the image (%)', relative_gap, relative_gap_low, relative_gap_high)
) as f (part, metric, value, value_low, value_high)
window row as (partition by provenance, prompt, captioner)
order by
    prompt_place(prompt), part, of, max(gap) filter (where domain = 'Overall') over row nulls last,
    max(gap) over row nulls last, captioner_name,
    captioner, domain
