-- shows: What captioners of CAPability know but cannot tell (%)
-- paper: CAPability, Table 6
-- benchmark: capability
-- reads: [capability_know_cannot_tell_main]
-- all: true
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: object_category, head: Obj. Cate., decimals: 1, best: lowest}
--   - {name: object_number, head: Obj. Num., decimals: 1, best: lowest}
--   - {name: object_color, head: Obj. Color, decimals: 1, best: lowest}
--   - {name: spatial_relation, head: Spa. Rel., decimals: 1, best: lowest}
--   - {name: scene, head: Scene, decimals: 1, best: lowest}
--   - {name: camera_angle, head: Cam. Ang., decimals: 1, best: lowest}
--   - {name: ocr, head: OCR, decimals: 1, best: lowest}
--   - {name: style, head: Style, decimals: 1, best: lowest}
--   - {name: character_identification, head: Cha. Iden., decimals: 1, best: lowest}
--   - {name: dynamic_object_number, head: (D) Obj. Num., decimals: 1, best: lowest}
--   - {name: action, head: Act., decimals: 1, best: lowest}
--   - {name: camera_movement, head: Cam. Mov., decimals: 1, best: lowest}
--   - {name: event, head: Event, decimals: 1, best: lowest}
--   - {name: average, head: Avg., decimals: 1, best: lowest}

select *, 'Judge ' || judge || case when repeat > 0 then ', repetition ' || repeat else '' end as section
from capability_know_cannot_tell_main
where benchmark = 'capability' and metric = 'know_cannot_tell'
order by judge, repeat, average nulls last, captioner_name
