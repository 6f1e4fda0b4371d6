-- what: which sets of answers can be compared question by question, because another reader, repetition or parser answered the same
--     questions
-- key: [protocol, reader, evidence, captioner, prompt, provenance]
-- source: a step on the way to CaptionQA Figure 2
-- columns:
--   protocol, reader, evidence:
--   captioner: [varchar, model_id of the captioner; under evidence image of the model that looked; empty under evidence none]
--   prompt, provenance:
--   n_readers: [bigint, count, "readers of captions of the question pool's prompts, under the protocol and provenance"]
--   n_repeats: [bigint, count, 1.., "repetitions of the reader: the highest number of one, plus one"]
--   shared: [boolean, the pool's captions of the captioner and prompt were read by each of several readers]
--   repeated: [boolean, some of the captions were read in every repetition]
--   parsed_twice: [boolean, both captionqa/upstream and captionqa/strict have answers]

with sets as (
    select
        protocol, reader, evidence, captioner, prompt, provenance, max(n_repeats) as set_repeats,
        evidence = 'caption' and in_pool(prompt) and sum(n_questions) > 0 as pooled
    from captionqa_domain_images
    group by protocol, reader, evidence, captioner, prompt, provenance
),

readers as (
    select protocol, provenance, count(distinct reader) as n_readers
    from sets
    where pooled
    group by protocol, provenance
),

set_readers as (
    select protocol, provenance, captioner, prompt, count(distinct reader) as n_readers
    from sets
    where pooled
    group by protocol, provenance, captioner, prompt
),

repeats as (
    select protocol, reader, provenance, max(case when evidence = 'caption' then set_repeats else 1 end) as n_repeats
    from sets
    group by protocol, reader, provenance
),

parsers as (
    select reader, evidence, captioner, prompt, provenance, count(*) as n_parsers
    from sets
    where protocol in ('captionqa/upstream', 'captionqa/strict')
    group by reader, evidence, captioner, prompt, provenance
),

compared as (
    select
        protocol, reader, evidence, captioner, prompt, provenance, coalesce(r.n_readers, 0) as n_readers, n_repeats,
        pooled and r.n_readers > 1 and s.n_readers = r.n_readers as shared,
        evidence = 'caption' and n_repeats > 1 and set_repeats = n_repeats as repeated,
        coalesce(n_parsers, 0) = 2 and protocol in ('captionqa/upstream', 'captionqa/strict') as parsed_twice
    from sets
    inner join repeats using (protocol, reader, provenance)
    left join readers as r using (protocol, provenance)
    left join set_readers as s using (protocol, provenance, captioner, prompt)
    left join parsers using (reader, evidence, captioner, prompt, provenance)
)

select protocol, reader, evidence, captioner, prompt, provenance, n_readers, n_repeats, shared, repeated, parsed_twice
from compared
where shared or repeated or parsed_twice;
