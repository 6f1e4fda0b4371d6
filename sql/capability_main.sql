-- model: capability_main
-- what: the main tables of CAPability and CV-CapBench: one metric of one captioner in all dimensions, and its averages
-- grain: one row per benchmark, judge, captioner, repeat, metric, provenance and origin
-- key: benchmark, judge, captioner, repeat, metric, provenance, origin
-- inputs: capability_dimensions, capability_averages, published
-- source: CAPability Tables 3, 4 and 5; CV-CapBench Tables 2 and 3
-- columns:
--   benchmark                 varchar  -        capability or cv-capbench
--   protocol                  varchar  -        metric protocol
--   judge                     varchar  -        model_id of the judge
--   captioner                 varchar  -        model_id whose captions were judged
--   model                     varchar  -        name of the captioner to show to people
--   repeat                    bigint   count    number of the repetition, from 0
--   metric                    varchar  -        precision, recall, f1 or hit_rate
--   provenance                varchar  -        published, measured or simulated
--   origin                    varchar  -        judgments or published
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
--   average                   double   percent  average over the dimensions of the paper's tables; null unless all are present
--   average_low               double   percent  lower end of the 95 % interval of the average, from 1000 bootstrap draws over media files
--   average_high              double   percent  upper end
--   average_static            double   percent  average over the static dimensions; null unless all are present
--   average_dynamic           double   percent  average over the dynamic dimensions; null unless all are present
--   average_printed           double   percent  average that the paper prints; null when it prints none
--   rank                      bigint   rank     place by average within benchmark, judge, repeat, metric, provenance and origin; null without average
--   n_dimensions              bigint   count    dimensions of the paper's tables that are present
--   n_all                     bigint   count    elements judged; null for printed rows
--   n_unparsed                bigint   count    elements whose judgment cannot be read; null for printed rows
--   n_failed                  bigint   count    elements that the judge gave no reply about; null for printed rows
--   n_missing                 bigint   count    annotated elements without any judgment; null for printed rows
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
        precision, recall, f1, hit_rate, n_all, n_unparsed, n_failed, n_missing
    from capability_dimensions
),

pivoted as (
    select
        d.benchmark, d.judge, d.captioner, d.repeat, n.metric, d.provenance, d.origin,
        max(d.protocol) as protocol,
        max(d.model) as model,
        max(case when d.dimension = 'object_category' then metric_value(n.metric, d.precision, d.recall, d.f1, d.hit_rate) end) as object_category_value,
        max(case when d.dimension = 'object_number' then metric_value(n.metric, d.precision, d.recall, d.f1, d.hit_rate) end) as object_number_value,
        max(case when d.dimension = 'object_color' then metric_value(n.metric, d.precision, d.recall, d.f1, d.hit_rate) end) as object_color_value,
        max(case when d.dimension = 'spatial_relation' then metric_value(n.metric, d.precision, d.recall, d.f1, d.hit_rate) end) as spatial_relation_value,
        max(case when d.dimension = 'scene' then metric_value(n.metric, d.precision, d.recall, d.f1, d.hit_rate) end) as scene_value,
        max(case when d.dimension = 'camera_angle' then metric_value(n.metric, d.precision, d.recall, d.f1, d.hit_rate) end) as camera_angle_value,
        max(case when d.dimension = 'OCR' then metric_value(n.metric, d.precision, d.recall, d.f1, d.hit_rate) end) as ocr_value,
        max(case when d.dimension = 'style' then metric_value(n.metric, d.precision, d.recall, d.f1, d.hit_rate) end) as style_value,
        max(case when d.dimension = 'character_identification' then metric_value(n.metric, d.precision, d.recall, d.f1, d.hit_rate) end) as character_identification_value,
        max(case when d.dimension = 'dynamic_object_number' then metric_value(n.metric, d.precision, d.recall, d.f1, d.hit_rate) end) as dynamic_object_number_value,
        max(case when d.dimension = 'action' then metric_value(n.metric, d.precision, d.recall, d.f1, d.hit_rate) end) as action_value,
        max(case when d.dimension = 'camera_movement' then metric_value(n.metric, d.precision, d.recall, d.f1, d.hit_rate) end) as camera_movement_value,
        max(case when d.dimension = 'event' then metric_value(n.metric, d.precision, d.recall, d.f1, d.hit_rate) end) as event_value,
        sum(d.n_all) as n_all,
        sum(d.n_unparsed) as n_unparsed,
        sum(d.n_failed) as n_failed,
        sum(d.n_missing) as n_missing
    from figures as d
    cross join metrics as n
    group by d.benchmark, d.judge, d.captioner, d.repeat, n.metric, d.provenance, d.origin
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
        max(case when section = 'dynamic' then mean end) as average_dynamic,
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
    cast(p.object_number_value as double) as object_number,
    cast(p.object_color_value as double) as object_color,
    cast(p.spatial_relation_value as double) as spatial_relation,
    cast(p.scene_value as double) as scene,
    cast(p.camera_angle_value as double) as camera_angle,
    cast(p.ocr_value as double) as ocr,
    cast(p.style_value as double) as style,
    cast(p.character_identification_value as double) as character_identification,
    cast(p.dynamic_object_number_value as double) as dynamic_object_number,
    cast(p.action_value as double) as action,
    cast(p.camera_movement_value as double) as camera_movement,
    cast(p.event_value as double) as event,
    cast(s.average_value as double) as average,
    cast(s.average_low as double) as average_low,
    cast(s.average_high as double) as average_high,
    cast(s.average_static as double) as average_static,
    cast(s.average_dynamic as double) as average_dynamic,
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
