-- shows: Precision, recall, F1 and hit rate of every captioner in the dimensions of CV-CapBench (%)
-- paper: CV-CapBench, Tables 2 and 3
-- benchmark: cv-capbench
-- reads: [capability_main]
-- all: true
-- each: item
-- columns:
--   - {name: captioner_name, head: Captioner}
--   - {name: object_category, head: Obj. Cate., decimals: 2, best: highest}
--   - {name: object_number, head: Obj. Num., decimals: 2, best: highest}
--   - {name: object_color, head: Obj. Color, decimals: 2, best: highest}
--   - {name: spatial_relation, head: Spa. Rel., decimals: 2, best: highest}
--   - {name: scene, head: Scene, decimals: 2, best: highest}
--   - {name: camera_angle, head: Cam. Ang., decimals: 2, best: highest}
--   - {name: ocr, head: OCR, decimals: 2, best: highest}
--   - {name: style, head: Style, decimals: 2, best: highest}
--   - {name: character_identification, head: Cha. Iden., decimals: 2, best: highest}
--   - {name: dynamic_object_number, head: (D) Obj. Num., decimals: 2, best: highest}
--   - {name: action, head: Act., decimals: 2, best: highest}
--   - {name: camera_movement, head: Cam. Mov., decimals: 2, best: highest}
--   - {name: average, head: Avg., decimals: 2, best: highest}

select *, 'Judge ' || judge || case when repeat > 0 then ', repetition ' || repeat else '' end as section,
    'cv_capbench_' || metric as item,
    case metric when 'precision' then 'Precision' when 'recall' then 'Recall' when 'f1' then 'F1' else 'Hit rate' end
    || ' of every captioner in the dimensions of CV-CapBench (%)' as title,
    'CV-CapBench, Table ' || case metric when 'hit_rate' then 3 else 2 end as paper
from capability_main
where benchmark = 'cv-capbench'
order by list_position(['precision', 'recall', 'f1', 'hit_rate'], metric), judge, repeat, average desc nulls last, captioner_name
