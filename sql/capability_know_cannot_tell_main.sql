-- model: capability_know_cannot_tell_main
-- what: CAPability's table of question accuracy and know-but-cannot-tell, one metric of one captioner in all dimensions
-- grain: one row per benchmark, judge, captioner, repeat, metric, provenance and origin
-- key: benchmark, judge, captioner, repeat, metric, provenance, origin
-- inputs: capability_know_cannot_tell
-- source: CAPability Table 6
-- columns:
--   benchmark                      varchar  -        capability or cv-capbench
--   judge                          varchar  -        model_id of the judge of the captions and of the open answers
--   captioner                      varchar  -        model_id that wrote the captions and answered the questions
--   model                          varchar  -        name of the captioner to show to people
--   repeat                         bigint   count    number of the repetition, from 0
--   metric                         varchar  -        qa_accuracy (higher is better) or know_cannot_tell (lower is better)
--   provenance                     varchar  -        published, measured or simulated
--   origin                         varchar  -        answers, or published for the printed figures
--   object_category                double   percent  the metric in the dimension object_category; null when absent
--   object_category_low            double   percent  lower end of its 95 % interval, as in capability_know_cannot_tell; null for printed rows
--   object_category_high           double   percent  upper end
--   object_number                  double   percent  the metric in the dimension object_number; null when absent
--   object_number_low              double   percent  lower end of its 95 % interval, as in capability_know_cannot_tell; null for printed rows
--   object_number_high             double   percent  upper end
--   object_color                   double   percent  the metric in the dimension object_color; null when absent
--   object_color_low               double   percent  lower end of its 95 % interval, as in capability_know_cannot_tell; null for printed rows
--   object_color_high              double   percent  upper end
--   spatial_relation               double   percent  the metric in the dimension spatial_relation; null when absent
--   spatial_relation_low           double   percent  lower end of its 95 % interval, as in capability_know_cannot_tell; null for printed rows
--   spatial_relation_high          double   percent  upper end
--   scene                          double   percent  the metric in the dimension scene; null when absent
--   scene_low                      double   percent  lower end of its 95 % interval, as in capability_know_cannot_tell; null for printed rows
--   scene_high                     double   percent  upper end
--   camera_angle                   double   percent  the metric in the dimension camera_angle; null when absent
--   camera_angle_low               double   percent  lower end of its 95 % interval, as in capability_know_cannot_tell; null for printed rows
--   camera_angle_high              double   percent  upper end
--   ocr                            double   percent  the metric in the dimension OCR; null when absent
--   ocr_low                        double   percent  lower end of its 95 % interval, as in capability_know_cannot_tell; null for printed rows
--   ocr_high                       double   percent  upper end
--   style                          double   percent  the metric in the dimension style; null when absent
--   style_low                      double   percent  lower end of its 95 % interval, as in capability_know_cannot_tell; null for printed rows
--   style_high                     double   percent  upper end
--   character_identification       double   percent  the metric in the dimension character_identification; null when absent
--   character_identification_low   double   percent  lower end of its 95 % interval, as in capability_know_cannot_tell; null for printed rows
--   character_identification_high  double   percent  upper end
--   dynamic_object_number          double   percent  the metric in the dimension dynamic_object_number; null when absent
--   dynamic_object_number_low      double   percent  lower end of its 95 % interval, as in capability_know_cannot_tell; null for printed rows
--   dynamic_object_number_high     double   percent  upper end
--   action                         double   percent  the metric in the dimension action; null when absent
--   action_low                     double   percent  lower end of its 95 % interval, as in capability_know_cannot_tell; null for printed rows
--   action_high                    double   percent  upper end
--   camera_movement                double   percent  the metric in the dimension camera_movement; null when absent
--   camera_movement_low            double   percent  lower end of its 95 % interval, as in capability_know_cannot_tell; null for printed rows
--   camera_movement_high           double   percent  upper end
--   event                          double   percent  the metric in the dimension event; null when absent
--   event_low                      double   percent  lower end of its 95 % interval, as in capability_know_cannot_tell; null for printed rows
--   event_high                     double   percent  upper end
--   average                        double   percent  average over the dimensions; null unless all are present; as printed on printed rows
--   average_low                    double   percent  lower end of its 95 % interval, as in capability_know_cannot_tell; null for printed rows
--   average_high                   double   percent  upper end
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
    cast(benchmark as varchar) as benchmark,
    cast(judge as varchar) as judge,
    cast(captioner as varchar) as captioner,
    cast(shown_model as varchar) as model,
    cast(repeat as bigint) as repeat,
    cast(metric as varchar) as metric,
    cast(provenance as varchar) as provenance,
    cast(origin as varchar) as origin,
    cast(object_category_value as double) as object_category,
    cast(object_category_low as double) as object_category_low,
    cast(object_category_high as double) as object_category_high,
    cast(object_number_value as double) as object_number,
    cast(object_number_low as double) as object_number_low,
    cast(object_number_high as double) as object_number_high,
    cast(object_color_value as double) as object_color,
    cast(object_color_low as double) as object_color_low,
    cast(object_color_high as double) as object_color_high,
    cast(spatial_relation_value as double) as spatial_relation,
    cast(spatial_relation_low as double) as spatial_relation_low,
    cast(spatial_relation_high as double) as spatial_relation_high,
    cast(scene_value as double) as scene,
    cast(scene_low as double) as scene_low,
    cast(scene_high as double) as scene_high,
    cast(camera_angle_value as double) as camera_angle,
    cast(camera_angle_low as double) as camera_angle_low,
    cast(camera_angle_high as double) as camera_angle_high,
    cast(ocr_value as double) as ocr,
    cast(ocr_low as double) as ocr_low,
    cast(ocr_high as double) as ocr_high,
    cast(style_value as double) as style,
    cast(style_low as double) as style_low,
    cast(style_high as double) as style_high,
    cast(character_identification_value as double) as character_identification,
    cast(character_identification_low as double) as character_identification_low,
    cast(character_identification_high as double) as character_identification_high,
    cast(dynamic_object_number_value as double) as dynamic_object_number,
    cast(dynamic_object_number_low as double) as dynamic_object_number_low,
    cast(dynamic_object_number_high as double) as dynamic_object_number_high,
    cast(action_value as double) as action,
    cast(action_low as double) as action_low,
    cast(action_high as double) as action_high,
    cast(camera_movement_value as double) as camera_movement,
    cast(camera_movement_low as double) as camera_movement_low,
    cast(camera_movement_high as double) as camera_movement_high,
    cast(event_value as double) as event,
    cast(event_low as double) as event_low,
    cast(event_high as double) as event_high,
    cast(average_value as double) as average,
    cast(average_low as double) as average_low,
    cast(average_high as double) as average_high
from pivoted;

-- audit: two_rows_each: every captioner has both metrics
select benchmark, judge, captioner, repeat, provenance, origin, count(*) as n
from capability_know_cannot_tell_main
group by benchmark, judge, captioner, repeat, provenance, origin
having count(*) <> 2;
