-- model: capability_know_cannot_tell_main
-- what: CAPability's table of question accuracy and know-but-cannot-tell, one metric of one captioner in all dimensions
-- grain: one row per benchmark, judge, captioner, repeat, metric, provenance and origin
-- key: benchmark, judge, captioner, repeat, metric, provenance, origin
-- inputs: capability_know_cannot_tell
-- source: CAPability Table 6
-- columns:
--   benchmark                 varchar  -        capability or cv-capbench
--   judge                     varchar  -        model_id of the judge of the captions and of the open answers
--   captioner                 varchar  -        model_id that wrote the captions and answered the questions
--   model                     varchar  -        name of the captioner to show to people
--   repeat                    bigint   count    number of the repetition, from 0
--   metric                    varchar  -        qa_accuracy (higher is better) or know_cannot_tell (lower is better)
--   provenance                varchar  -        published, measured or simulated
--   origin                    varchar  -        answers, or published for the printed figures
--   object_category           double   percent  the metric in the dimension object_category; null when absent
--   object_number             double   percent  the metric in the dimension object_number; null when absent
--   object_color              double   percent  the metric in the dimension object_color; null when absent
--   spatial_relation          double   percent  the metric in the dimension spatial_relation; null when absent
--   scene                     double   percent  the metric in the dimension scene; null when absent
--   camera_angle              double   percent  the metric in the dimension camera_angle; null when absent
--   ocr                       double   percent  the metric in the dimension OCR; null when absent
--   style                     double   percent  the metric in the dimension style; null when absent
--   character_identification  double   percent  the metric in the dimension character_identification; null when absent
--   dynamic_object_number     double   percent  the metric in the dimension dynamic_object_number; null when absent
--   action                    double   percent  the metric in the dimension action; null when absent
--   camera_movement           double   percent  the metric in the dimension camera_movement; null when absent
--   event                     double   percent  the metric in the dimension event; null when absent
--   average                   double   percent  average over the dimensions; null unless all are present; as printed on printed rows
-- checks:
--   metric in qa_accuracy, know_cannot_tell
--   provenance in published, measured, simulated
--   origin in answers, published
--   object_category between 0 and 100
--   object_number between 0 and 100
--   object_color between 0 and 100
--   spatial_relation between 0 and 100
--   scene between 0 and 100
--   camera_angle between 0 and 100
--   ocr between 0 and 100
--   style between 0 and 100
--   character_identification between 0 and 100
--   dynamic_object_number between 0 and 100
--   action between 0 and 100
--   camera_movement between 0 and 100
--   event between 0 and 100
--   average between 0 and 100

with figures as (
    select benchmark, judge, captioner, model, repeat, provenance, origin, dimension, 'qa_accuracy' as metric, qa_accuracy as figure
    from capability_know_cannot_tell
    union all
    select benchmark, judge, captioner, model, repeat, provenance, origin, dimension, 'know_cannot_tell' as metric, know_cannot_tell as figure
    from capability_know_cannot_tell
),

pivoted as (
    select
        benchmark, judge, captioner, repeat, metric, provenance, origin,
        max(model) as shown_model,
        max(case when dimension = 'object_category' then figure end) as object_category_value,
        max(case when dimension = 'object_number' then figure end) as object_number_value,
        max(case when dimension = 'object_color' then figure end) as object_color_value,
        max(case when dimension = 'spatial_relation' then figure end) as spatial_relation_value,
        max(case when dimension = 'scene' then figure end) as scene_value,
        max(case when dimension = 'camera_angle' then figure end) as camera_angle_value,
        max(case when dimension = 'OCR' then figure end) as ocr_value,
        max(case when dimension = 'style' then figure end) as style_value,
        max(case when dimension = 'character_identification' then figure end) as character_identification_value,
        max(case when dimension = 'dynamic_object_number' then figure end) as dynamic_object_number_value,
        max(case when dimension = 'action' then figure end) as action_value,
        max(case when dimension = 'camera_movement' then figure end) as camera_movement_value,
        max(case when dimension = 'event' then figure end) as event_value,
        max(case when dimension = 'average' then figure end) as average_value
    from figures
    group by benchmark, judge, captioner, repeat, metric, provenance, origin
)

select
    cast(benchmark as varchar) as benchmark,
    cast(judge as varchar) as judge,
    cast(captioner as varchar) as captioner,
    cast(shown_model as varchar) as model,
    cast(repeat as bigint) as repeat,
    cast(metric as varchar) as metric,
    cast(provenance as varchar) as provenance,
    cast(origin as varchar) as origin,
    cast(object_category_value as double) as object_category,
    cast(object_number_value as double) as object_number,
    cast(object_color_value as double) as object_color,
    cast(spatial_relation_value as double) as spatial_relation,
    cast(scene_value as double) as scene,
    cast(camera_angle_value as double) as camera_angle,
    cast(ocr_value as double) as ocr,
    cast(style_value as double) as style,
    cast(character_identification_value as double) as character_identification,
    cast(dynamic_object_number_value as double) as dynamic_object_number,
    cast(action_value as double) as action,
    cast(camera_movement_value as double) as camera_movement,
    cast(event_value as double) as event,
    cast(average_value as double) as average
from pivoted;

-- audit: two_rows_each: every captioner has both metrics
select benchmark, judge, captioner, repeat, provenance, origin, count(*) as n
from capability_know_cannot_tell_main
group by benchmark, judge, captioner, repeat, provenance, origin
having count(*) <> 2;
