-- shows: Accuracy on the questions of CAPability (%)
-- paper: CAPability, Table 6
-- benchmark: capability
-- reads: [capability_know_cannot_tell_main]
-- all: true
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

select *, 'Judge ' || judge || case when repeat > 0 then ', repetition ' || repeat else '' end as section
from capability_know_cannot_tell_main
where benchmark = 'capability' and metric = 'qa_accuracy'
order by judge, repeat, average desc nulls last, captioner_name
