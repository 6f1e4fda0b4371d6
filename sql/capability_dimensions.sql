-- model: capability_dimensions
-- what: precision, recall, F1 and hit rate of every captioner in every dimension, computed from judgments and as printed in the papers
-- grain: one row per benchmark, judge, captioner, repeat, dimension, provenance and origin
-- key: benchmark, judge, captioner, repeat, dimension, provenance, origin
-- inputs: judgments, stale_judgments, annotations, published, models, capability_rubric, capability_draws
-- source: CAPability Tables 3, 4 and 5, equations 1 to 3; CV-CapBench Tables 2 and 3
-- columns:
--   benchmark       varchar  -        capability or cv-capbench
--   protocol        varchar  -        metric protocol
--   judge           varchar  -        model_id of the judge; the paper's judge for printed rows
--   captioner       varchar  -        model_id whose captions were judged
--   model           varchar  -        name of the captioner to show to people
--   model_type      varchar  -        open, proprietary, human, metric or stub; null when the registry does not know the captioner
--   repeat          bigint   count    number of the repetition, from 0
--   dimension       varchar  -        dimension
--   view            varchar  -        object, global, text, camera, temporal or knowledge
--   dynamic         boolean  -        the dimension cannot be told from a single frame
--   provenance      varchar  -        published, measured or simulated
--   origin          varchar  -        base table that the row comes from: judgments or published
--   n_annotated     bigint   count    elements annotated; null for printed rows, as all counts
--   n_all           bigint   count    elements judged: the denominator of recall and hit rate
--   n_hit           bigint   count    of them, mentioned in the caption: the denominator of precision
--   n_correct       bigint   count    of them, stated correctly
--   n_unparsed      bigint   count    elements whose judgment cannot be read; in no denominator
--   n_failed        bigint   count    elements that the judge gave no reply about; in no denominator
--   n_missing       bigint   count    annotated elements without any judgment; in no denominator
--   precision       double   percent  correct share of what is mentioned; 0 when nothing is
--   precision_low   double   percent  lower end of the 95 % interval of precision, from 1000 bootstrap draws over media files; by Korn and Graubard where all draws agree, and null for a single file then
--   precision_high  double   percent  upper end
--   recall          double   percent  correct share of what was judged
--   recall_low      double   percent  lower end of the 95 % interval of recall
--   recall_high     double   percent  upper end
--   f1              double   percent  harmonic mean of precision and recall
--   f1_low          double   percent  lower end of the 95 % interval of F1
--   f1_high         double   percent  upper end
--   hit_rate        double   percent  share of what was judged that the caption mentions, rightly or wrongly
--   hit_rate_low    double   percent  lower end of the 95 % interval of hit rate
--   hit_rate_high   double   percent  upper end
-- checks:
--   benchmark in capability, cv-capbench
--   provenance in published, measured, simulated
--   origin in judgments, published
--   precision between 0 and 100
--   recall between 0 and 100
--   f1 between 0 and 100
--   hit_rate between 0 and 100
--   precision_low between 0 and 100
--   precision_high between 0 and 100
--   recall_low between 0 and 100
--   recall_high between 0 and 100
--   f1_low between 0 and 100
--   f1_high between 0 and 100
--   hit_rate_low between 0 and 100
--   hit_rate_high between 0 and 100
--   n_all >= 0
--   n_missing >= 0

with judged as (
    select benchmark, judge, captioner, repeat, dimension, provenance, sample_id, element, verdict
    from counted_judgments()
),

files as (
    select benchmark, dimension, sample_id, element, coalesce(nullif(media, ''), sample_id) as media
    from annotations
),

rubric as (
    select benchmark, dimension, protocol, view, dynamic, paper_judge, n_elements
    from capability_rubric
),

registry as (
    select model_id, name, model_type
    from models
),

counted as (
    select
        benchmark, judge, captioner, repeat, dimension, provenance,
        count(*) as n_rows,
        sum(case when verdict in ('positive', 'negative', 'miss') then 1 else 0 end) as n_all,
        sum(case when verdict in ('positive', 'negative') then 1 else 0 end) as n_hit,
        sum(case when verdict = 'positive' then 1 else 0 end) as n_correct,
        sum(case when verdict = 'unparsed' then 1 else 0 end) as n_unparsed,
        sum(case when verdict = 'failed' then 1 else 0 end) as n_failed
    from judged
    group by benchmark, judge, captioner, repeat, dimension, provenance
),

by_media as (
    select
        j.benchmark, j.judge, j.captioner, j.repeat, j.dimension, j.provenance, coalesce(f.media, j.sample_id) as media,
        count(*) as n_all, sum(case when j.verdict <> 'miss' then 1 else 0 end) as n_hit
    from judged as j
    left join files as f
        on f.benchmark = j.benchmark and f.dimension = j.dimension and f.sample_id = j.sample_id and f.element = j.element
    where j.verdict in ('positive', 'negative', 'miss')
    group by j.benchmark, j.judge, j.captioner, j.repeat, j.dimension, j.provenance, coalesce(f.media, j.sample_id)
),

clusters as (
    select
        benchmark, judge, captioner, repeat, dimension, provenance, sum(n_all) as n_all, sum(n_hit) as n_hit,
        clusters_of(sum(n_all), sum(n_all * n_all)) as all_clusters, clusters_of(sum(n_hit), sum(n_hit * n_hit)) as hit_clusters
    from by_media
    group by benchmark, judge, captioner, repeat, dimension, provenance
),

-- F1 = 2PR / (P + R) with P = correct / hit and R = correct / all is 2 correct / (all + hit).
quantiles as (
    select
        benchmark, judge, captioner, repeat, dimension, provenance,
        quantile_of(coalesce(percent_of(n_correct, n_hit), 0), 0.025) as precision_low,
        quantile_of(coalesce(percent_of(n_correct, n_hit), 0), 0.975) as precision_high,
        quantile_of(percent_of(n_correct, n_all), 0.025) as recall_low,
        quantile_of(percent_of(n_correct, n_all), 0.975) as recall_high,
        quantile_of(percent_of(2 * n_correct, n_all + n_hit), 0.025) as f1_low,
        quantile_of(percent_of(2 * n_correct, n_all + n_hit), 0.975) as f1_high,
        quantile_of(percent_of(n_hit, n_all), 0.025) as hit_rate_low,
        quantile_of(percent_of(n_hit, n_all), 0.975) as hit_rate_high
    from capability_draws
    where n_all > 0
    group by benchmark, judge, captioner, repeat, dimension, provenance
),

-- Where all elements have the same verdict, so have all draws: their percentiles meet and say nothing of the number of elements.
-- The interval is then that of a share without variance.
intervals as (
    select
        q.benchmark, q.judge, q.captioner, q.repeat, q.dimension, q.provenance,
        case when q.precision_low < q.precision_high then q.precision_low else share_low(q.precision_low, 0, c.n_hit, c.hit_clusters) end as precision_low,
        case when q.precision_low < q.precision_high then q.precision_high else share_high(q.precision_high, 0, c.n_hit, c.hit_clusters) end as precision_high,
        case when q.recall_low < q.recall_high then q.recall_low else share_low(q.recall_low, 0, c.n_all, c.all_clusters) end as recall_low,
        case when q.recall_low < q.recall_high then q.recall_high else share_high(q.recall_high, 0, c.n_all, c.all_clusters) end as recall_high,
        case when q.f1_low < q.f1_high then q.f1_low else share_low(q.f1_low, 0, c.n_all, c.all_clusters) end as f1_low,
        case when q.f1_low < q.f1_high then q.f1_high else share_high(q.f1_high, 0, c.n_all, c.all_clusters) end as f1_high,
        case when q.hit_rate_low < q.hit_rate_high then q.hit_rate_low else share_low(q.hit_rate_low, 0, c.n_all, c.all_clusters) end as hit_rate_low,
        case when q.hit_rate_low < q.hit_rate_high then q.hit_rate_high else share_high(q.hit_rate_high, 0, c.n_all, c.all_clusters) end as hit_rate_high
    from quantiles as q
    inner join clusters as c
        on c.benchmark = q.benchmark and c.judge = q.judge and c.captioner = q.captioner and c.repeat = q.repeat
        and c.dimension = q.dimension and c.provenance = q.provenance
),

printed as (
    select
        benchmark,
        coalesce(nullif(model_id, ''), model) as captioner,
        category as dimension,
        max(model) as printed_model,
        max(case when metric = 'precision' then value end) as precision_printed,
        max(case when metric = 'recall' then value end) as recall_printed,
        max(case when metric = 'f1' then value end) as f1_printed,
        max(case when metric = 'hit_rate' then value end) as hit_rate_printed
    from published
    where benchmark in ('capability', 'cv-capbench') and source = 'paper'
        and metric in ('precision', 'recall', 'f1', 'hit_rate')
    group by benchmark, coalesce(nullif(model_id, ''), model), category
),

both_origins as (
    select
        c.benchmark, r.protocol, c.judge, c.captioner, null as printed_model, c.repeat, c.dimension, r.view, r.dynamic,
        c.provenance, 'judgments' as origin, r.n_elements as n_annotated,
        c.n_all, c.n_hit, c.n_correct, c.n_unparsed, c.n_failed, r.n_elements - c.n_rows as n_missing,
        case when c.n_all > 0 then coalesce(percent_of(c.n_correct, c.n_hit), 0) end as precision_value,
        percent_of(c.n_correct, c.n_all) as recall_value,
        percent_of(2 * c.n_correct, c.n_all + c.n_hit) as f1_value,
        percent_of(c.n_hit, c.n_all) as hit_rate_value
    from counted as c
    inner join rubric as r on r.benchmark = c.benchmark and r.dimension = c.dimension
    union all
    select
        p.benchmark, r.protocol, r.paper_judge as judge, p.captioner, p.printed_model, 0 as repeat, p.dimension, r.view, r.dynamic,
        'published' as provenance, 'published' as origin, null as n_annotated,
        null as n_all, null as n_hit, null as n_correct, null as n_unparsed, null as n_failed, null as n_missing,
        p.precision_printed as precision_value,
        p.recall_printed as recall_value,
        p.f1_printed as f1_value,
        p.hit_rate_printed as hit_rate_value
    from printed as p
    inner join rubric as r on r.benchmark = p.benchmark and r.dimension = p.dimension
)

select
    cast(b.benchmark as varchar) as benchmark,
    cast(b.protocol as varchar) as protocol,
    cast(b.judge as varchar) as judge,
    cast(b.captioner as varchar) as captioner,
    cast(coalesce(m.name, b.printed_model, b.captioner) as varchar) as model,
    cast(m.model_type as varchar) as model_type,
    cast(b.repeat as bigint) as repeat,
    cast(b.dimension as varchar) as dimension,
    cast(b.view as varchar) as view,
    cast(b.dynamic as boolean) as dynamic,
    cast(b.provenance as varchar) as provenance,
    cast(b.origin as varchar) as origin,
    cast(b.n_annotated as bigint) as n_annotated,
    cast(b.n_all as bigint) as n_all,
    cast(b.n_hit as bigint) as n_hit,
    cast(b.n_correct as bigint) as n_correct,
    cast(b.n_unparsed as bigint) as n_unparsed,
    cast(b.n_failed as bigint) as n_failed,
    cast(b.n_missing as bigint) as n_missing,
    cast(b.precision_value as double) as precision,
    cast(i.precision_low as double) as precision_low,
    cast(i.precision_high as double) as precision_high,
    cast(b.recall_value as double) as recall,
    cast(i.recall_low as double) as recall_low,
    cast(i.recall_high as double) as recall_high,
    cast(b.f1_value as double) as f1,
    cast(i.f1_low as double) as f1_low,
    cast(i.f1_high as double) as f1_high,
    cast(b.hit_rate_value as double) as hit_rate,
    cast(i.hit_rate_low as double) as hit_rate_low,
    cast(i.hit_rate_high as double) as hit_rate_high
from both_origins as b
left join intervals as i
    on b.origin = 'judgments' and i.benchmark = b.benchmark and i.judge = b.judge and i.captioner = b.captioner
    and i.repeat = b.repeat and i.dimension = b.dimension and i.provenance = b.provenance
left join registry as m on m.model_id = b.captioner;

-- audit: every_judgment_counted: a verdict that is not one of the five, or a dimension outside the rubric, would vanish from the figures
select benchmark, judge, captioner, dimension, verdict, sample_id, element
from counted_judgments()
where verdict not in ('positive', 'negative', 'miss', 'unparsed', 'failed')
    or dimension not in (select dimension from capability_rubric);

-- audit: judgments_are_annotated: what is judged must be annotated, or the verdict is about nothing
select j.benchmark, j.judge, j.captioner, j.dimension, j.sample_id, j.element
from counted_judgments() as j
left join annotations as a
    on a.benchmark = j.benchmark and a.dimension = j.dimension and a.sample_id = j.sample_id and a.element = j.element
where a.sample_id is null;

-- audit: categories_give_the_verdict: of a closed set, positive if the annotation is among the categories found, miss if only N/A is (CAPability appendix B.2)
select j.benchmark, j.judge, j.captioner, j.dimension, j.sample_id, j.verdict, joined_text(p.category) as predicted, a.value
from counted_judgments() as j
inner join capability_rubric as r on r.benchmark = j.benchmark and r.dimension = j.dimension and r.closed_set
inner join annotations as a
    on a.benchmark = j.benchmark and a.dimension = j.dimension and a.sample_id = j.sample_id and a.element = j.element
cross join unnest(j.predicted) as p (category)
where j.verdict in ('positive', 'negative', 'miss')
group by j.benchmark, j.judge, j.captioner, j.repeat, j.provenance, j.dimension, j.sample_id, j.element, j.verdict, a.value
having j.verdict <> case
    when max(case when p.category = a.value then 1 else 0 end) = 1 then 'positive'
    when min(case when p.category = 'N/A' then 1 else 0 end) = 1 then 'miss'
    else 'negative' end;

-- audit: interval_holds_figure: a percentile interval that leaves its figure out by much points to draws of other data
select benchmark, judge, captioner, dimension, recall, recall_low, recall_high
from capability_dimensions
where n_all >= 100 and (recall < recall_low - 1 or recall > recall_high + 1);

-- audit: interval_has_width: as many elements as there may be, an interval is no point
select benchmark, judge, captioner, dimension, precision_low, precision_high, recall_low, recall_high, f1_low, f1_high, hit_rate_low, hit_rate_high
from capability_dimensions
where precision_low >= precision_high or recall_low >= recall_high or f1_low >= f1_high or hit_rate_low >= hit_rate_high;
