-- shows: CaptionQA score (%) of every captioner by domain
-- paper: CaptionQA, Table 3
-- benchmark: captionqa
-- reads: [captionqa_scores]
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: score, decimals: 2, best: highest, across: domain}

select
    *, prompt as best_among,
    coalesce(list_position(['Overall', 'Natural', 'Document', 'E-commerce', 'Embodied AI'], domain), 9) as across_place,
    prompt || ' prompt. ' || case model_type
        when 'open' then 'Open models' when 'proprietary' then 'Proprietary models' when 'rehearsal' then 'Rehearsal models'
        else coalesce(upper(left(nullif(model_type, ''), 1)) || substr(model_type, 2), 'Models unknown to the registry')
    end as section
from captionqa_scores
where level in ('overall', 'domain') and evidence = 'caption'
window row as (partition by provenance, protocol, reader, prompt, captioner)
order by
    nullif(strpos('Long, Simple, Short, Taxonomy-Hinted', prompt), 0), prompt, model_type nulls first,
    max(score) filter (where domain = 'Overall') over row desc nulls last, captioner_name, domain
