-- model: capability_main
-- what: the main tables of CAPability and CV-CapBench: one metric of one captioner in all dimensions, and its averages
-- grain: one row per benchmark, judge, captioner, repeat, metric, provenance and origin
-- key: benchmark, judge, captioner, repeat, metric, provenance, origin
-- inputs: capability_dimensions, capability_averages, published
-- source: CAPability Tables 3, 4 and 5; CV-CapBench Tables 2 and 3
-- columns:
--   benchmark                      varchar  -        capability or cv-capbench
--   protocol                       varchar  -        metric protocol
--   judge                          varchar  -        model_id of the judge
--   captioner                      varchar  -        model_id whose captions were judged
--   model                          varchar  -        name of the captioner to show to people
--   repeat                         bigint   count    number of the repetition, from 0
--   metric                         varchar  -        precision, recall, f1 or hit_rate
--   provenance                     varchar  -        published, measured or simulated
--   origin                         varchar  -        judgments or published
--   object_category                double   percent  the metric in the dimension object_category; null when absent
--   object_category_low            double   percent  lower end of its 95 % interval, as in capability_dimensions; null for printed rows
--   object_category_high           double   percent  upper end
--   object_number                  double   percent  the metric in the dimension object_number; null when absent
--   object_number_low              double   percent  lower end of its 95 % interval, as in capability_dimensions; null for printed rows
--   object_number_high             double   percent  upper end
--   object_color                   double   percent  the metric in the dimension object_color; null when absent
--   object_color_low               double   percent  lower end of its 95 % interval, as in capability_dimensions; null for printed rows
--   object_color_high              double   percent  upper end
--   spatial_relation               double   percent  the metric in the dimension spatial_relation; null when absent
--   spatial_relation_low           double   percent  lower end of its 95 % interval, as in capability_dimensions; null for printed rows
--   spatial_relation_high          double   percent  upper end
--   scene                          double   percent  the metric in the dimension scene; null when absent
--   scene_low                      double   percent  lower end of its 95 % interval, as in capability_dimensions; null for printed rows
--   scene_high                     double   percent  upper end
--   camera_angle                   double   percent  the metric in the dimension camera_angle; null when absent
--   camera_angle_low               double   percent  lower end of its 95 % interval, as in capability_dimensions; null for printed rows
--   camera_angle_high              double   percent  upper end
--   ocr                            double   percent  the metric in the dimension OCR; null when absent
--   ocr_low                        double   percent  lower end of its 95 % interval, as in capability_dimensions; null for printed rows
--   ocr_high                       double   percent  upper end
--   style                          double   percent  the metric in the dimension style; null when absent
--   style_low                      double   percent  lower end of its 95 % interval, as in capability_dimensions; null for printed rows
--   style_high                     double   percent  upper end
--   character_identification       double   percent  the metric in the dimension character_identification; null when absent
--   character_identification_low   double   percent  lower end of its 95 % interval, as in capability_dimensions; null for printed rows
--   character_identification_high  double   percent  upper end
--   dynamic_object_number          double   percent  the metric in the dimension dynamic_object_number; null when absent
--   dynamic_object_number_low      double   percent  lower end of its 95 % interval, as in capability_dimensions; null for printed rows
--   dynamic_object_number_high     double   percent  upper end
--   action                         double   percent  the metric in the dimension action; null when absent
--   action_low                     double   percent  lower end of its 95 % interval, as in capability_dimensions; null for printed rows
--   action_high                    double   percent  upper end
--   camera_movement                double   percent  the metric in the dimension camera_movement; null when absent
--   camera_movement_low            double   percent  lower end of its 95 % interval, as in capability_dimensions; null for printed rows
--   camera_movement_high           double   percent  upper end
--   event                          double   percent  the metric in the dimension event; null when absent
--   event_low                      double   percent  lower end of its 95 % interval, as in capability_dimensions; null for printed rows
--   event_high                     double   percent  upper end
--   average                        double   percent  average over the dimensions of the paper's tables; null unless all are present
--   average_low                    double   percent  lower end of the 95 % interval of the average, from 1000 bootstrap draws over media files
--   average_high                   double   percent  upper end
--   average_static                 double   percent  average over the static dimensions; null unless all are present
--   average_static_low             double   percent  lower end of its 95 % interval, as in capability_averages; null for printed rows
--   average_static_high            double   percent  upper end
--   average_dynamic                double   percent  average over the dynamic dimensions; null unless all are present
--   average_dynamic_low            double   percent  lower end of its 95 % interval, as in capability_averages; null for printed rows
--   average_dynamic_high           double   percent  upper end
--   average_printed                double   percent  average that the paper prints; null when it prints none
--   rank                           bigint   rank     place by average within benchmark, judge, repeat, metric, provenance and origin; null without average
--   n_dimensions                   bigint   count    dimensions of the paper's tables that are present
--   n_all                          bigint   count    elements judged; null for printed rows
--   n_unparsed                     bigint   count    elements whose judgment cannot be read; null for printed rows
--   n_failed                       bigint   count    elements that the judge gave no reply about; null for printed rows
--   n_missing                      bigint   count    annotated elements without any judgment; null for printed rows
-- checks:
--   metric in precision, recall, f1, hit_rate
--   provenance in published, measured, simulated
--   origin in judgments, published
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
--   rank >= 1

with metrics (metric) as (
    values ('precision'), ('recall'), ('f1'), ('hit_rate')
),

figures as (
    select
        benchmark, protocol, judge, captioner, model, repeat, provenance, origin, dimension,
        precision, precision_low, precision_high, recall, recall_low, recall_high, f1, f1_low, f1_high, hit_rate, hit_rate_low, hit_rate_high,
        n_all, n_unparsed, n_failed, n_missing
    from capability_dimensions
),

named as (
    select
        d.benchmark, d.protocol, d.judge, d.captioner, d.model, d.repeat, n.metric, d.provenance, d.origin, d.dimension,
        metric_value(n.metric, d.precision, d.recall, d.f1, d.hit_rate) as figure,
        metric_value(n.metric, d.precision_low, d.recall_low, d.f1_low, d.hit_rate_low) as figure_low,
        metric_value(n.metric, d.precision_high, d.recall_high, d.f1_high, d.hit_rate_high) as figure_high,
        d.n_all, d.n_unparsed, d.n_failed, d.n_missing
    from figures as d
    cross join metrics as n
),

pivoted as (
    select
        d.benchmark, d.judge, d.captioner, d.repeat, d.metric, d.provenance, d.origin,
        max(d.protocol) as protocol,
        max(d.model) as model,
        max(case when d.dimension = 'object_category' then d.figure end) as object_category_value,
        max(case when d.dimension = 'object_category' then d.figure_low end) as object_category_low,
        max(case when d.dimension = 'object_category' then d.figure_high end) as object_category_high,
        max(case when d.dimension = 'object_number' then d.figure end) as object_number_value,
        max(case when d.dimension = 'object_number' then d.figure_low end) as object_number_low,
        max(case when d.dimension = 'object_number' then d.figure_high end) as object_number_high,
        max(case when d.dimension = 'object_color' then d.figure end) as object_color_value,
        max(case when d.dimension = 'object_color' then d.figure_low end) as object_color_low,
        max(case when d.dimension = 'object_color' then d.figure_high end) as object_color_high,
        max(case when d.dimension = 'spatial_relation' then d.figure end) as spatial_relation_value,
        max(case when d.dimension = 'spatial_relation' then d.figure_low end) as spatial_relation_low,
        max(case when d.dimension = 'spatial_relation' then d.figure_high end) as spatial_relation_high,
        max(case when d.dimension = 'scene' then d.figure end) as scene_value,
        max(case when d.dimension = 'scene' then d.figure_low end) as scene_low,
        max(case when d.dimension = 'scene' then d.figure_high end) as scene_high,
        max(case when d.dimension = 'camera_angle' then d.figure end) as camera_angle_value,
        max(case when d.dimension = 'camera_angle' then d.figure_low end) as camera_angle_low,
        max(case when d.dimension = 'camera_angle' then d.figure_high end) as camera_angle_high,
        max(case when d.dimension = 'OCR' then d.figure end) as ocr_value,
        max(case when d.dimension = 'OCR' then d.figure_low end) as ocr_low,
        max(case when d.dimension = 'OCR' then d.figure_high end) as ocr_high,
        max(case when d.dimension = 'style' then d.figure end) as style_value,
        max(case when d.dimension = 'style' then d.figure_low end) as style_low,
        max(case when d.dimension = 'style' then d.figure_high end) as style_high,
        max(case when d.dimension = 'character_identification' then d.figure end) as character_identification_value,
        max(case when d.dimension = 'character_identification' then d.figure_low end) as character_identification_low,
        max(case when d.dimension = 'character_identification' then d.figure_high end) as character_identification_high,
        max(case when d.dimension = 'dynamic_object_number' then d.figure end) as dynamic_object_number_value,
        max(case when d.dimension = 'dynamic_object_number' then d.figure_low end) as dynamic_object_number_low,
        max(case when d.dimension = 'dynamic_object_number' then d.figure_high end) as dynamic_object_number_high,
        max(case when d.dimension = 'action' then d.figure end) as action_value,
        max(case when d.dimension = 'action' then d.figure_low end) as action_low,
        max(case when d.dimension = 'action' then d.figure_high end) as action_high,
        max(case when d.dimension = 'camera_movement' then d.figure end) as camera_movement_value,
        max(case when d.dimension = 'camera_movement' then d.figure_low end) as camera_movement_low,
        max(case when d.dimension = 'camera_movement' then d.figure_high end) as camera_movement_high,
        max(case when d.dimension = 'event' then d.figure end) as event_value,
        max(case when d.dimension = 'event' then d.figure_low end) as event_low,
        max(case when d.dimension = 'event' then d.figure_high end) as event_high,
        sum(d.n_all) as n_all,
        sum(d.n_unparsed) as n_unparsed,
        sum(d.n_failed) as n_failed,
        sum(d.n_missing) as n_missing
    from named as d
    group by d.benchmark, d.judge, d.captioner, d.repeat, d.metric, d.provenance, d.origin
),

averages as (
    select
        a.benchmark, a.judge, a.captioner, a.repeat, n.metric, a.provenance, a.origin, a.section, a.n_dimensions,
        case when a.n_dimensions = a.n_expected then metric_value(n.metric, a.precision, a.recall, a.f1, a.hit_rate) end as mean,
        case when a.n_dimensions = a.n_expected then metric_value(n.metric, a.precision_low, a.recall_low, a.f1_low, a.hit_rate_low) end as mean_low,
        case when a.n_dimensions = a.n_expected then metric_value(n.metric, a.precision_high, a.recall_high, a.f1_high, a.hit_rate_high) end as mean_high
    from capability_averages as a
    cross join metrics as n
    where a.section in ('all', 'static', 'dynamic')
),

sections as (
    select
        benchmark, judge, captioner, repeat, metric, provenance, origin,
        max(case when section = 'all' then mean end) as average_value,
        max(case when section = 'all' then mean_low end) as average_low,
        max(case when section = 'all' then mean_high end) as average_high,
        max(case when section = 'static' then mean end) as average_static,
        max(case when section = 'static' then mean_low end) as average_static_low,
        max(case when section = 'static' then mean_high end) as average_static_high,
        max(case when section = 'dynamic' then mean end) as average_dynamic,
        max(case when section = 'dynamic' then mean_low end) as average_dynamic_low,
        max(case when section = 'dynamic' then mean_high end) as average_dynamic_high,
        max(case when section = 'all' then n_dimensions end) as n_dimensions
    from averages
    group by benchmark, judge, captioner, repeat, metric, provenance, origin
),

printed as (
    select benchmark, coalesce(nullif(model_id, ''), model) as captioner, metric, max(value) as average_printed
    from published
    where benchmark in ('capability', 'cv-capbench') and source = 'paper' and category = 'average'
    group by benchmark, coalesce(nullif(model_id, ''), model), metric
),

ranked as (
    select
        benchmark, judge, captioner, repeat, metric, provenance, origin,
        rank() over (partition by benchmark, judge, repeat, metric, provenance, origin order by average_value desc nulls last) as place
    from sections
)

select
    cast(p.benchmark as varchar) as benchmark,
    cast(p.protocol as varchar) as protocol,
    cast(p.judge as varchar) as judge,
    cast(p.captioner as varchar) as captioner,
    cast(p.model as varchar) as model,
    cast(p.repeat as bigint) as repeat,
    cast(p.metric as varchar) as metric,
    cast(p.provenance as varchar) as provenance,
    cast(p.origin as varchar) as origin,
    cast(p.object_category_value as double) as object_category,
    cast(p.object_category_low as double) as object_category_low,
    cast(p.object_category_high as double) as object_category_high,
    cast(p.object_number_value as double) as object_number,
    cast(p.object_number_low as double) as object_number_low,
    cast(p.object_number_high as double) as object_number_high,
    cast(p.object_color_value as double) as object_color,
    cast(p.object_color_low as double) as object_color_low,
    cast(p.object_color_high as double) as object_color_high,
    cast(p.spatial_relation_value as double) as spatial_relation,
    cast(p.spatial_relation_low as double) as spatial_relation_low,
    cast(p.spatial_relation_high as double) as spatial_relation_high,
    cast(p.scene_value as double) as scene,
    cast(p.scene_low as double) as scene_low,
    cast(p.scene_high as double) as scene_high,
    cast(p.camera_angle_value as double) as camera_angle,
    cast(p.camera_angle_low as double) as camera_angle_low,
    cast(p.camera_angle_high as double) as camera_angle_high,
    cast(p.ocr_value as double) as ocr,
    cast(p.ocr_low as double) as ocr_low,
    cast(p.ocr_high as double) as ocr_high,
    cast(p.style_value as double) as style,
    cast(p.style_low as double) as style_low,
    cast(p.style_high as double) as style_high,
    cast(p.character_identification_value as double) as character_identification,
    cast(p.character_identification_low as double) as character_identification_low,
    cast(p.character_identification_high as double) as character_identification_high,
    cast(p.dynamic_object_number_value as double) as dynamic_object_number,
    cast(p.dynamic_object_number_low as double) as dynamic_object_number_low,
    cast(p.dynamic_object_number_high as double) as dynamic_object_number_high,
    cast(p.action_value as double) as action,
    cast(p.action_low as double) as action_low,
    cast(p.action_high as double) as action_high,
    cast(p.camera_movement_value as double) as camera_movement,
    cast(p.camera_movement_low as double) as camera_movement_low,
    cast(p.camera_movement_high as double) as camera_movement_high,
    cast(p.event_value as double) as event,
    cast(p.event_low as double) as event_low,
    cast(p.event_high as double) as event_high,
    cast(s.average_value as double) as average,
    cast(s.average_low as double) as average_low,
    cast(s.average_high as double) as average_high,
    cast(s.average_static as double) as average_static,
    cast(s.average_static_low as double) as average_static_low,
    cast(s.average_static_high as double) as average_static_high,
    cast(s.average_dynamic as double) as average_dynamic,
    cast(s.average_dynamic_low as double) as average_dynamic_low,
    cast(s.average_dynamic_high as double) as average_dynamic_high,
    cast(q.average_printed as double) as average_printed,
    cast(case when s.average_value is not null then r.place end as bigint) as rank,
    cast(coalesce(s.n_dimensions, 0) as bigint) as n_dimensions,
    cast(p.n_all as bigint) as n_all,
    cast(p.n_unparsed as bigint) as n_unparsed,
    cast(p.n_failed as bigint) as n_failed,
    cast(p.n_missing as bigint) as n_missing
from pivoted as p
left join sections as s
    on s.benchmark = p.benchmark and s.judge = p.judge and s.captioner = p.captioner and s.repeat = p.repeat
    and s.metric = p.metric and s.provenance = p.provenance and s.origin = p.origin
left join ranked as r
    on r.benchmark = p.benchmark and r.judge = p.judge and r.captioner = p.captioner and r.repeat = p.repeat
    and r.metric = p.metric and r.provenance = p.provenance and r.origin = p.origin
left join printed as q on p.origin = 'published' and q.benchmark = p.benchmark and q.captioner = p.captioner and q.metric = p.metric;

-- audit: average_within_dimensions: a mean lies between its least and its greatest part
select benchmark, captioner, metric, average
from capability_main
where benchmark = 'capability' and (
    average < least(object_category, object_number, object_color, spatial_relation, scene, camera_angle, ocr, style, character_identification, dynamic_object_number, action, camera_movement, event) - 0.000001
    or average > greatest(object_category, object_number, object_color, spatial_relation, scene, camera_angle, ocr, style, character_identification, dynamic_object_number, action, camera_movement, event) + 0.000001
);
