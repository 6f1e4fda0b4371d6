-- shows: Precision, recall, F1 and hit rate of every captioner in the dimensions of CAPability (%)
-- paper: CAPability, Tables 3 to 5
-- benchmark: capability
-- reads: [capability_main]
-- all: true
-- each: item
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: object_category, head: Obj. Cate., decimals: 1, best: highest}
--   - {name: object_number, head: Obj. Num., decimals: 1, best: highest}
--   - {name: object_color, head: Obj. Color, decimals: 1, best: highest}
--   - {name: spatial_relation, head: Spa. Rel., decimals: 1, best: highest}
--   - {name: scene, head: Scene, decimals: 1, best: highest}
--   - {name: camera_angle, head: Cam. Ang., decimals: 1, best: highest}
--   - {name: ocr, head: OCR, decimals: 1, best: highest}
--   - {name: style, head: Style, decimals: 1, best: highest}
--   - {name: character_identification, head: Cha. Iden., decimals: 1, best: highest}
--   - {name: dynamic_object_number, head: (D) Obj. Num., decimals: 1, best: highest}
--   - {name: action, head: Act., decimals: 1, best: highest}
--   - {name: camera_movement, head: Cam. Mov., decimals: 1, best: highest}
--   - {name: event, head: Event, decimals: 1, best: highest}
--   - {name: average, head: Avg., decimals: 1, best: highest}

select *, 'Judge ' || judge || case when repeat > 0 then ', repetition ' || repeat else '' end as section,
    'capability_' || metric as item,
    case metric when 'precision' then 'Precision' when 'recall' then 'Recall' when 'f1' then 'F1' else 'Hit rate' end
    || ' of every captioner in the dimensions of CAPability (%)' as title,
    'CAPability, ' || case metric when 'hit_rate' then 'Table 5' else 'Tables 3 and 4' end as paper
from capability_main
where benchmark = 'capability'
order by list_position(['precision', 'recall', 'f1', 'hit_rate'], metric), judge, repeat, average desc nulls last, captioner_name
