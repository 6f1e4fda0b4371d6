-- what: numbers that only the texts and figure captions of the papers print, and none of their tables
-- key: [benchmark, place, model, subject, quantity]
-- source: the texts and figure captions of CaptionQA, CAPability and CapArena
-- columns:
--   benchmark: [varchar, paper]
--   place: [varchar, section or figure that prints it]
--   model: [varchar, model_id of the model that it is about; empty when it is about no model]
--   model_name: [varchar, name of the model as printed]
--   subject: [varchar, "domain, category and prompt that it is about, as far as printed"]
--   quantity: [varchar, "quantity that is counted or measured"]
--   printed: [varchar, not null, the figure as printed with its unit]
--   line: [bigint, 1.., line of the printed figure]
--   provenance: [varchar, [published]]

select
    benchmark, item as place, model_id as model, model as model_name,
    replace(concat_ws(', ', nullif(domain, ''), nullif(category, ''), nullif(prompt, '')), '_', ' ') as subject,
    replace(replace(metric, 'part_score', 'score of the subcategory'), '_', ' ') as quantity,
    coalesce(nullif(text, ''), case unit
        when 'percent' then fixed_text(value, decimals) || ' %'
        when 'count' then fixed_text(value, 0)
        when 'correlation' then fixed_text(value, 3)
        else fixed_text(value, decimals) || ' ' || replace(unit, '_', ' ') end) as printed,
    line, 'published' as provenance
from published
where source = 'paper' and (item like 'Section %' or item like 'Figure %') and metric <> 'rank';
