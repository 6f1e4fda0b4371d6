-- shows: Results on each domain with each prompt (%)
-- about: 'Cannot: share of the answers to questions that offer "Cannot answer from the caption" which chose it.
--     CaptionQA Table 9 prints the
--    share of all answers.'
-- paper: CaptionQA, Tables 11 to 26
-- benchmark: captionqa
-- each: item
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: score, decimals: 2, best: highest}
--   - {name: accuracy, head: Acc, decimals: 2, best: highest}
--   - {name: cannot_rate_offered, head: Cannot, decimals: 1, best: lowest}

with numbered as (
    select
        *, list_position(['Natural', 'Document', 'E-commerce', 'Embodied AI'], domain) as domain_place,
        prompt_in_tables(prompt) as prompt_place,
        6 + 4 * domain_place + prompt_place as number
    from captionqa_scores
    semi join shown_readers using (protocol, reader, provenance)
    where level = 'domain' and evidence = 'caption'
)

select
    * exclude (note), captioner_name || ': ' || note as note, board_id as best_among,
    coalesce('table_' || number || '_', 'results_') || replace(domain, '-', '') || '_' || prompt as item,
    format('Results on the {} domain with the {} prompt (%)', domain, prompt) as title,
    coalesce('CaptionQA, Table ' || number, 'as CaptionQA, Tables 11–26, for another domain or prompt') as paper,
    case when not is_first then board || '. ' else '' end || models_heading(model_type) as section
from numbered
left join (select board_id, board, condition_id, origin, section as domain,
    is_first from boards) as b using (condition_id, origin, domain)
order by number, domain_place, domain, prompt_place, prompt, is_first desc, board, section, score desc nulls last,
    captioner_name, captioner
