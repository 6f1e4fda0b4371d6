-- what: the caption-question pairs on which readers are compared, one caption for each question, drawn from those that every reader was
--     asked about
-- key: [protocol, reader, provenance, question_id]
-- source: CaptionQA section 3.5; the captions come from all captioners, as the paper's, under the prompts that the run names, Simple
--    unless it names any
-- columns:
--   protocol:
--   reader: [varchar, "model_id of the reader; readers of one protocol and provenance have the same pairs"]
--   provenance, question_id:
--   image_id: [varchar, "item that the question is about: the cluster of standard errors"]
--   captioner: [varchar, "captioner of the caption drawn: that whose md5 with the run's seed is least"]
--   prompt: [varchar, prompt of that caption]
--   correct: [boolean, "the reader's answer, first repetition, is correct"]

with pairs as (
    select protocol, provenance, captioner, prompt, question_id, n_readers
    from compared_answers
    inner join compared_sets using (protocol, reader, evidence, captioner, prompt, provenance)
    where shared and repeat = 0
    group by protocol, provenance, captioner, prompt, question_id, n_readers
    having count(*) = n_readers
),

shared as (
    select protocol, provenance, question_id, value_at_least(captioner, lot) as captioner, value_at_least(prompt, lot) as prompt
    from (select *, pool_lot(sampling_seed(), question_id, captioner, prompt) as lot from pairs) as p
    group by protocol, provenance, question_id
)

select protocol, reader, provenance, question_id, image_id, captioner, prompt, outcome = 1 as correct
from compared_answers
inner join shared using (protocol, provenance, question_id, captioner, prompt)
where evidence = 'caption' and repeat = 0
union all
select
    protocol, reader, provenance, question_id, image_id, split_part(drawn, chr(10), 3) as captioner,
    split_part(drawn, chr(10), 4) as prompt, split_part(drawn, chr(10), 2) = 'correct' as correct
from (select *, min(reader) over (partition by protocol, provenance) = max(reader) over (partition by protocol, provenance) as alone
    from pool_lots) as l
where alone;
