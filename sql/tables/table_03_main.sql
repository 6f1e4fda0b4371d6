-- shows: CaptionQA score (%) of every captioner by domain
-- paper: CaptionQA, Table 3
-- benchmark: captionqa
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: score, decimals: 2, best: highest, across: domain}

-- Boards of other questions stand below, each with its best value.
select
    s.* exclude (note), s.captioner_name || ': ' || s.note as note,
    prompt || case when is_first then '' else board end as best_among,
    domain_place(domain) as across_place,
    prompt || ' prompt. ' || case when is_first then '' else board || '. ' end || models_heading(model_type) as section
from captionqa_scores as s
inner join (
    select
        condition_id, origin, section as domain, arg_max(board, is_headline) over of_row as board,
        arg_max(is_first, is_headline) over of_row as is_first
    from boards
    window of_row as (partition by condition_id, origin)
) as b using (condition_id, origin, domain)
semi join shown_readers using (protocol, reader, provenance)
where level in ('overall', 'domain') and evidence = 'caption'
window row as (partition by provenance, prompt, captioner)
order by
    prompt_in_tables(prompt), prompt, is_first desc, board, section,
    max(score) filter (where domain = 'Overall') over row desc nulls last, max(score) over row desc nulls last,
    captioner_name, captioner, domain
