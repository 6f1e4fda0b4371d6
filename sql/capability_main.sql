-- model: capability_main
-- what: "the main tables of CAPability and CV-CapBench: one metric of one captioner in all dimensions, and its averages"
-- grain: one row per benchmark, judge, captioner, repeat, metric, provenance and origin
-- key: [benchmark, judge, captioner, repeat, metric, provenance, origin]
-- inputs: [capability_dimensions, capability_averages, published]
-- source: CAPability Tables 3, 4 and 5; CV-CapBench Tables 2 and 3
-- columns:
--   benchmark: [varchar, capability or cv-capbench]
--   protocol: [varchar, metric protocol]
--   judge: [varchar, model_id of the judge]
--   captioner: [varchar, model_id whose captions were judged]
--   model: [varchar, name of the captioner to show to people]
--   repeat: [bigint, count, "number of the repetition, from 0"]
--   metric: [varchar, [precision, recall, f1, hit_rate]]
--   provenance: [varchar, [published, measured, simulated]]
--   origin: [varchar, [judgments, published]]
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
--   average: [double, percent, 0..100, average over the dimensions of the paper's tables; null unless all are present]
--   average_static: [double, percent, average over the static dimensions; null unless all are present]
--   average_dynamic: [double, percent, average over the dynamic dimensions; null unless all are present]
--   average_printed: [double, percent, average that the paper prints; null when it prints none]
--   rank: [bigint, rank, 1.., "place by average within benchmark, judge, repeat, metric, provenance and origin; null without average"]
--   n_dimensions: [bigint, count, dimensions of the paper's tables that are present]
--   n_all: [bigint, count, elements judged; null for printed rows]
--   n_unparsed: [bigint, count, elements whose judgment cannot be read; null for printed rows]
--   n_failed: [bigint, count, elements that the judge gave no reply about; null for printed rows]
--   n_missing: [bigint, count, annotated elements without any judgment; null for printed rows]
-- intervals:
--   object_category, object_number, object_color, spatial_relation, scene: given; as in capability_dimensions; null for printed rows
--   camera_angle, ocr, style, character_identification, dynamic_object_number: given; as in capability_dimensions; null for printed rows
--   action, camera_movement, event: given; as in capability_dimensions; null for printed rows
--   average: given; of the average, from 1000 bootstrap draws over media files
--   average_static, average_dynamic: given; as in capability_averages; null for printed rows

with metrics (metric) as (
    values ('precision'), ('recall'), ('f1'), ('hit_rate')
),

figures as (
    select
        benchmark, protocol, judge, captioner, model, repeat, provenance, origin, dimension,
        precision, precision_low, precision_high, recall, recall_low, recall_high, f1, f1_low, f1_high, hit_rate, hit_rate_low,
            hit_rate_high,
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
        case when a.n_dimensions = a.n_expected then metric_value(n.metric, a.precision_low, a.recall_low, a.f1_low,
            a.hit_rate_low) end as mean_low,
        case when a.n_dimensions = a.n_expected then metric_value(n.metric, a.precision_high, a.recall_high, a.f1_high,
            a.hit_rate_high) end as mean_high
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
    p.benchmark, p.protocol, p.judge, p.captioner, p.model, p.repeat, p.metric, p.provenance, p.origin,
    p.object_category_value as object_category,
    p.object_category_low, p.object_category_high,
    p.object_number_value as object_number,
    p.object_number_low, p.object_number_high,
    p.object_color_value as object_color,
    p.object_color_low, p.object_color_high,
    p.spatial_relation_value as spatial_relation,
    p.spatial_relation_low, p.spatial_relation_high,
    p.scene_value as scene,
    p.scene_low, p.scene_high,
    p.camera_angle_value as camera_angle,
    p.camera_angle_low, p.camera_angle_high,
    p.ocr_value as ocr,
    p.ocr_low, p.ocr_high,
    p.style_value as style,
    p.style_low, p.style_high,
    p.character_identification_value as character_identification,
    p.character_identification_low, p.character_identification_high,
    p.dynamic_object_number_value as dynamic_object_number,
    p.dynamic_object_number_low, p.dynamic_object_number_high,
    p.action_value as action,
    p.action_low, p.action_high,
    p.camera_movement_value as camera_movement,
    p.camera_movement_low, p.camera_movement_high,
    p.event_value as event,
    p.event_low, p.event_high,
    s.average_value as average,
    s.average_low, s.average_high, s.average_static, s.average_static_low, s.average_static_high, s.average_dynamic, s.average_dynamic_low,
    s.average_dynamic_high, q.average_printed,
    case when s.average_value is not null then r.place end as rank,
    coalesce(s.n_dimensions, 0) as n_dimensions,
    p.n_all, p.n_unparsed, p.n_failed, p.n_missing
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
    average < least(object_category, object_number, object_color, spatial_relation, scene, camera_angle, ocr, style,
        character_identification, dynamic_object_number, action, camera_movement, event) - 0.000001
    or average > greatest(object_category, object_number, object_color, spatial_relation, scene, camera_angle, ocr, style,
        character_identification, dynamic_object_number, action, camera_movement, event) + 0.000001
);
