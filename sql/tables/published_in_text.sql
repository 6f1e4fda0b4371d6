-- shows: Figures that the texts print and no table of the papers has
-- about: "From sentences and captions of figures. The text gives scores of subcategories as means over captioners."
-- paper: CaptionQA, CAPability and CapArena, texts
-- columns:
--   - {name: place, head: Section, once: true}
--   - {name: model_name, head: Model}
--   - {name: subject, head: "Of what"}
--   - {name: quantity}
--   - {name: printed}

select
    *, case benchmark when 'captionqa' then 'CaptionQA' when 'capability' then 'CAPability' else 'CapArena' end
        as section
from published_in_text
order by
    list_position(['captionqa', 'capability', 'caparena'], benchmark), min(line) over (partition by benchmark, place),
    line
