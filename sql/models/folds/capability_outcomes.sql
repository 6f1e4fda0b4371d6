-- what: every answer to a question about an annotated element, with its outcome as counts of 0 and 1 that can be added
--     up
-- key: [unit, benchmark, captioner, answer_judge, repeat, provenance, dimension, sample_id, element, media]
-- source: captionlake; capability_know_cannot_tell is computed from these rows
-- fold: element_answers
-- checks: {rows: 1}
-- columns:
--   unit:
--   benchmark: [varchar, capability or cv-capbench]
--   captioner: [varchar, model_id that answered]
--   answer_judge: [varchar, model_id of the judge of an open answer; empty for multiple choice]
--   repeat, provenance, dimension:
--   sample_id: [varchar, sample]
--   element: [varchar, object that is annotated; empty when the dimension annotates none]
--   media: [varchar, "media file, as the benchmark names it; the sample if the benchmark names no file"]
--   n_correct: [integer, count, 0..1, 1 if the answer is right]
--   n_incorrect: [integer, count, 0..1, "1 if it is wrong; a letter that names no option is a wrong answer"]
--   n_unparsed: [integer, count, 0..1, 1 if the judgment of an open answer cannot be read]
--   n_failed: [integer, count, 0..1, 1 if there is no reply]
--   n_unknown: [integer, count, 0..1, "1 if the outcome is none of these, or the element is not annotated"]

with files as (
    select benchmark, dimension, sample_id, element, coalesce(nullif(media, ''), sample_id) as media
    from annotations
)

select
    a.unit, benchmark, a.model as captioner, a.judge as answer_judge, a.repeat, a.provenance, dimension, sample_id,
    element, coalesce(f.media, sample_id) as media,
    case when a.outcome = 'correct' then 1 else 0 end as n_correct,
    case when a.outcome = 'incorrect' or a.outcome = 'unparsed' and a.judge = '' then 1 else 0 end as n_incorrect,
    case when a.outcome = 'unparsed' and a.judge <> '' then 1 else 0 end as n_unparsed,
    case when a.outcome = 'failed' then 1 else 0 end as n_failed,
    case when a.outcome in ('correct', 'incorrect', 'unparsed', 'failed') and f.media is not null then 0
        else 1 end as n_unknown
from counted_element_answers() as a
left join files as f using (benchmark, dimension, sample_id, element);

-- audit: every_answer_counted: an answer with another outcome, or about nothing annotated, would be in no figure
select benchmark, captioner, answer_judge, dimension, sample_id, element
from capability_outcomes
where n_unknown > 0;
