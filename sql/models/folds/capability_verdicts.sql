-- what: every judgment, with its verdict as counts of 0 and 1 that can be added up, and the media file that it is about
-- key: [unit, benchmark, judge, captioner, repeat, provenance, dimension, sample_id, element, media]
-- source: captionlake; all metrics of the rubric are computed from these rows
-- fold: judgments
-- checks: {rows: 1}
-- columns:
--   unit:
--   benchmark: [varchar, capability or cv-capbench]
--   judge:
--   captioner: [varchar, model_id whose caption was judged]
--   repeat, provenance, dimension:
--   sample_id: [varchar, sample]
--   element: [varchar, object that is annotated; empty when the dimension annotates none]
--   media: [varchar, "media file, as the benchmark names it; the sample if the benchmark names no file"]
--   n_positive: [integer, count, 0..1, "1 if the caption states the element correctly"]
--   n_negative: [integer, count, 0..1, "1 if the caption mentions it, but not as annotated"]
--   n_miss: [integer, count, 0..1, "1 if the caption does not mention it"]
--   n_unparsed: [integer, count, 0..1, 1 if the judgment cannot be read]
--   n_failed: [integer, count, 0..1, 1 if the judge gave no reply]
--   n_unknown: [integer, count, 0..1, "1 if the verdict is another one, or the element is not annotated in a
--       dimension of the rubric"]
--   element_number: [bigint, {merge: max}, "number made from dimension, sample and element: sums of it tell sets of
--       elements apart"]
--   n_contradicted: [integer, count, 0..1, 1 if the categories that the judge found in a closed set give another
--       verdict]

with files as (
    select benchmark, dimension, sample_id, element, value, coalesce(nullif(media, ''), sample_id) as media
    from annotations
)

select
    j.unit, benchmark, j.judge, j.captioner, j.repeat, j.provenance, dimension, sample_id, element,
    coalesce(f.media, sample_id) as media,
    case when j.verdict = 'positive' then 1 else 0 end as n_positive,
    case when j.verdict = 'negative' then 1 else 0 end as n_negative,
    case when j.verdict = 'miss' then 1 else 0 end as n_miss,
    case when j.verdict = 'unparsed' then 1 else 0 end as n_unparsed,
    case when j.verdict = 'failed' then 1 else 0 end as n_failed,
    case when j.verdict in ('positive', 'negative', 'miss', 'unparsed', 'failed') and f.media is not null
        and r.place is not null
        then 0 else 1 end as n_unknown,
    question_number(concat_ws('/', dimension, sample_id, element)) as element_number,
    case when r.closed_set and j.verdict in ('positive', 'negative', 'miss')
        and j.verdict <> verdict_of(j.predicted, f.value)
        then 1 else 0 end as n_contradicted
from counted_judgments() as j
left join files as f using (benchmark, dimension, sample_id, element)
left join capability_rubric as r using (benchmark, dimension);

-- audit: every_judgment_counted: a verdict, dimension or element that is not annotated would vanish from the figures
select benchmark, judge, captioner, dimension, sample_id, element
from capability_verdicts
where n_unknown > 0;

-- audit: categories_give_the_verdict: positive if the annotated one is found, miss if only N/A is (appendix B.2)
select benchmark, judge, captioner, dimension, sample_id, element
from capability_verdicts
where n_contradicted > 0;
