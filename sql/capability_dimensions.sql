-- model: capability_dimensions
-- what: precision, recall, F1 and hit rate of every captioner in every dimension, computed from judgments and as printed in the papers
-- grain: one row per benchmark, judge, captioner, repeat, dimension, provenance and origin
-- key: [benchmark, judge, captioner, repeat, dimension, provenance, origin]
-- inputs: [judgments, stale_judgments, annotations, published, models, capability_rubric, capability_draws]
-- source: CAPability Tables 3, 4 and 5, equations 1 to 3; CV-CapBench Tables 2 and 3
-- columns:
--   benchmark: [varchar, [capability, cv-capbench]]
--   protocol: [varchar, metric protocol]
--   judge: [varchar, model_id of the judge; the paper's judge for printed rows]
--   captioner: [varchar, model_id whose captions were judged]
--   model: [varchar, name of the captioner to show to people]
--   model_type: [varchar, "open, proprietary, human, metric or stub; null when the registry does not know the captioner"]
--   repeat: [bigint, count, "number of the repetition, from 0"]
--   dimension: [varchar, dimension]
--   view: [varchar, "object, global, text, camera, temporal or knowledge"]
--   dynamic: [boolean, the dimension cannot be told from a single frame]
--   provenance: [varchar, [published, measured, simulated]]
--   origin: [varchar, [judgments, published], "base table that the row comes from: judgments or published"]
--   n_annotated: [bigint, count, "elements annotated; null for printed rows, as all counts"]
--   n_all: [bigint, count, 0.., "elements judged: the denominator of recall and hit rate"]
--   n_hit: [bigint, count, "of them, mentioned in the caption: the denominator of precision"]
--   n_correct: [bigint, count, "of them, stated correctly"]
--   n_unparsed: [bigint, count, elements whose judgment cannot be read; in no denominator]
--   n_failed: [bigint, count, elements that the judge gave no reply about; in no denominator]
--   n_missing: [bigint, count, 0.., annotated elements without any judgment; in no denominator]
--   precision: [double, percent, 0..100, correct share of what is mentioned; 0 when nothing is]
--   recall: [double, percent, 0..100, correct share of what was judged]
--   f1: [double, percent, 0..100, harmonic mean of precision and recall]
--   hit_rate: [double, percent, 0..100, "share of what was judged that the caption mentions, rightly or wrongly"]
-- intervals:
--   precision: given(0, 100); from 1000 bootstrap draws over media files; by Korn and Graubard where all draws agree, and null for a
--       single file then
--   recall: given(0, 100)
--   f1: given(0, 100); of F1
--   hit_rate: given(0, 100); of hit rate

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
        case when q.precision_low < q.precision_high then q.precision_low else share_low(q.precision_low, 0, c.n_hit,
            c.hit_clusters) end as precision_low,
        case when q.precision_low < q.precision_high then q.precision_high else share_high(q.precision_high, 0, c.n_hit,
            c.hit_clusters) end as precision_high,
        case when q.recall_low < q.recall_high then q.recall_low else share_low(q.recall_low, 0, c.n_all, c.all_clusters) end as recall_low,
        case when q.recall_low < q.recall_high then q.recall_high else share_high(q.recall_high, 0, c.n_all,
            c.all_clusters) end as recall_high,
        case when q.f1_low < q.f1_high then q.f1_low else share_low(q.f1_low, 0, c.n_all, c.all_clusters) end as f1_low,
        case when q.f1_low < q.f1_high then q.f1_high else share_high(q.f1_high, 0, c.n_all, c.all_clusters) end as f1_high,
        case when q.hit_rate_low < q.hit_rate_high then q.hit_rate_low else share_low(q.hit_rate_low, 0, c.n_all,
            c.all_clusters) end as hit_rate_low,
        case when q.hit_rate_low < q.hit_rate_high then q.hit_rate_high else share_high(q.hit_rate_high, 0, c.n_all,
            c.all_clusters) end as hit_rate_high
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
    b.benchmark, b.protocol, b.judge, b.captioner,
    coalesce(m.name, b.printed_model, b.captioner) as model,
    m.model_type, b.repeat, b.dimension, b.view, b.dynamic, b.provenance, b.origin, b.n_annotated, b.n_all, b.n_hit, b.n_correct,
    b.n_unparsed, b.n_failed, b.n_missing,
    b.precision_value as precision,
    i.precision_low, i.precision_high,
    b.recall_value as recall,
    i.recall_low, i.recall_high,
    b.f1_value as f1,
    i.f1_low, i.f1_high,
    b.hit_rate_value as hit_rate,
    i.hit_rate_low, i.hit_rate_high
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

-- audit: categories_give_the_verdict: in a closed set, positive if the annotated one was found, miss if only N/A was (appendix B.2)
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
select benchmark, judge, captioner, dimension, precision_low, precision_high, recall_low, recall_high, f1_low, f1_high, hit_rate_low,
    hit_rate_high
from capability_dimensions
where precision_low >= precision_high or recall_low >= recall_high or f1_low >= f1_high or hit_rate_low >= hit_rate_high;
