-- model: capability_know_cannot_tell_main
-- what: CAPability's table of question accuracy and know-but-cannot-tell, one metric of one captioner in all dimensions
-- grain: one row per benchmark, judge, captioner, repeat, metric, provenance and origin
-- key: [benchmark, judge, captioner, repeat, metric, provenance, origin]
-- inputs: [capability_know_cannot_tell]
-- source: CAPability Table 6
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   judge: [varchar, model_id of the judge of the captions and of the open answers]
--   captioner: [varchar, model_id that wrote the captions and answered the questions]
--   model: [varchar, name of the captioner to show to people]
--   repeat: [bigint, count, "number of the repetition, from 0"]
--   metric: [varchar, [qa_accuracy, know_cannot_tell], qa_accuracy (higher is better) or know_cannot_tell (lower is better)]
--   provenance: [varchar, [published, measured, simulated]]
--   origin: [varchar, [answers, published], "answers, or published for the printed figures"]
--   object_category: [double, percent, 0..100, the metric in the dimension object_category; null when absent]
--   object_number: [double, percent, 0..100, the metric in the dimension object_number; null when absent]
--   object_color: [double, percent, 0..100, the metric in the dimension object_color; null when absent]
--   spatial_relation: [double, percent, 0..100, the metric in the dimension spatial_relation; null when absent]
--   scene: [double, percent, 0..100, the metric in the dimension scene; null when absent]
--   camera_angle: [double, percent, 0..100, the metric in the dimension camera_angle; null when absent]
--   ocr: [double, percent, 0..100, the metric in the dimension OCR; null when absent]
--   style: [double, percent, 0..100, the metric in the dimension style; null when absent]
--   character_identification: [double, percent, 0..100, the metric in the dimension character_identification; null when absent]
--   dynamic_object_number: [double, percent, 0..100, the metric in the dimension dynamic_object_number; null when absent]
--   action: [double, percent, 0..100, the metric in the dimension action; null when absent]
--   camera_movement: [double, percent, 0..100, the metric in the dimension camera_movement; null when absent]
--   event: [double, percent, 0..100, the metric in the dimension event; null when absent]
--   average: [double, percent, 0..100, average over the dimensions; null unless all are present; as printed on printed rows]
-- intervals:
--   object_category, object_number, object_color, spatial_relation, scene: given; as in capability_know_cannot_tell; null for printed rows
--   camera_angle, ocr, style, character_identification, dynamic_object_number: given; as in capability_know_cannot_tell; null for printed
--       rows
--   action, camera_movement, event, average: given; as in capability_know_cannot_tell; null for printed rows

with figures as (
    select
        benchmark, judge, captioner, model, repeat, provenance, origin, dimension, 'qa_accuracy' as metric,
        qa_accuracy as figure, qa_accuracy_low as figure_low, qa_accuracy_high as figure_high
    from capability_know_cannot_tell
    union all
    select
        benchmark, judge, captioner, model, repeat, provenance, origin, dimension, 'know_cannot_tell' as metric,
        know_cannot_tell as figure, know_cannot_tell_low as figure_low, know_cannot_tell_high as figure_high
    from capability_know_cannot_tell
),

pivoted as (
    select
        benchmark, judge, captioner, repeat, metric, provenance, origin,
        max(model) as shown_model,
        max(case when dimension = 'object_category' then figure end) as object_category_value,
        max(case when dimension = 'object_category' then figure_low end) as object_category_low,
        max(case when dimension = 'object_category' then figure_high end) as object_category_high,
        max(case when dimension = 'object_number' then figure end) as object_number_value,
        max(case when dimension = 'object_number' then figure_low end) as object_number_low,
        max(case when dimension = 'object_number' then figure_high end) as object_number_high,
        max(case when dimension = 'object_color' then figure end) as object_color_value,
        max(case when dimension = 'object_color' then figure_low end) as object_color_low,
        max(case when dimension = 'object_color' then figure_high end) as object_color_high,
        max(case when dimension = 'spatial_relation' then figure end) as spatial_relation_value,
        max(case when dimension = 'spatial_relation' then figure_low end) as spatial_relation_low,
        max(case when dimension = 'spatial_relation' then figure_high end) as spatial_relation_high,
        max(case when dimension = 'scene' then figure end) as scene_value,
        max(case when dimension = 'scene' then figure_low end) as scene_low,
        max(case when dimension = 'scene' then figure_high end) as scene_high,
        max(case when dimension = 'camera_angle' then figure end) as camera_angle_value,
        max(case when dimension = 'camera_angle' then figure_low end) as camera_angle_low,
        max(case when dimension = 'camera_angle' then figure_high end) as camera_angle_high,
        max(case when dimension = 'OCR' then figure end) as ocr_value,
        max(case when dimension = 'OCR' then figure_low end) as ocr_low,
        max(case when dimension = 'OCR' then figure_high end) as ocr_high,
        max(case when dimension = 'style' then figure end) as style_value,
        max(case when dimension = 'style' then figure_low end) as style_low,
        max(case when dimension = 'style' then figure_high end) as style_high,
        max(case when dimension = 'character_identification' then figure end) as character_identification_value,
        max(case when dimension = 'character_identification' then figure_low end) as character_identification_low,
        max(case when dimension = 'character_identification' then figure_high end) as character_identification_high,
        max(case when dimension = 'dynamic_object_number' then figure end) as dynamic_object_number_value,
        max(case when dimension = 'dynamic_object_number' then figure_low end) as dynamic_object_number_low,
        max(case when dimension = 'dynamic_object_number' then figure_high end) as dynamic_object_number_high,
        max(case when dimension = 'action' then figure end) as action_value,
        max(case when dimension = 'action' then figure_low end) as action_low,
        max(case when dimension = 'action' then figure_high end) as action_high,
        max(case when dimension = 'camera_movement' then figure end) as camera_movement_value,
        max(case when dimension = 'camera_movement' then figure_low end) as camera_movement_low,
        max(case when dimension = 'camera_movement' then figure_high end) as camera_movement_high,
        max(case when dimension = 'event' then figure end) as event_value,
        max(case when dimension = 'event' then figure_low end) as event_low,
        max(case when dimension = 'event' then figure_high end) as event_high,
        max(case when dimension = 'average' then figure end) as average_value,
        max(case when dimension = 'average' then figure_low end) as average_low,
        max(case when dimension = 'average' then figure_high end) as average_high
    from figures
    group by benchmark, judge, captioner, repeat, metric, provenance, origin
)

select
    benchmark, judge, captioner,
    shown_model as model,
    repeat, metric, provenance, origin,
    object_category_value as object_category,
    object_category_low, object_category_high,
    object_number_value as object_number,
    object_number_low, object_number_high,
    object_color_value as object_color,
    object_color_low, object_color_high,
    spatial_relation_value as spatial_relation,
    spatial_relation_low, spatial_relation_high,
    scene_value as scene,
    scene_low, scene_high,
    camera_angle_value as camera_angle,
    camera_angle_low, camera_angle_high,
    ocr_value as ocr,
    ocr_low, ocr_high,
    style_value as style,
    style_low, style_high,
    character_identification_value as character_identification,
    character_identification_low, character_identification_high,
    dynamic_object_number_value as dynamic_object_number,
    dynamic_object_number_low, dynamic_object_number_high,
    action_value as action,
    action_low, action_high,
    camera_movement_value as camera_movement,
    camera_movement_low, camera_movement_high,
    event_value as event,
    event_low, event_high,
    average_value as average,
    average_low, average_high
from pivoted;

-- audit: two_rows_each: every captioner has both metrics
select benchmark, judge, captioner, repeat, provenance, origin, count(*) as n
from capability_know_cannot_tell_main
group by benchmark, judge, captioner, repeat, provenance, origin
having count(*) <> 2;
