-- model: compared_sets
-- what: which sets of answers can be compared question by question, because another reader, repetition or parser answered the same
--     questions
-- grain: one row per protocol, reader, evidence, captioner, prompt and provenance of answers that have something to be compared with
-- key: [protocol, reader, evidence, captioner, prompt, provenance]
-- inputs: [captionqa_domain_images]
-- source: a step on the way to CaptionQA Figure 2
-- columns:
--   protocol: [varchar, "how questions were put, parsed and scored"]
--   reader: [varchar, model_id of the model that answered]
--   evidence: [varchar, "caption, image or none"]
--   captioner: [varchar, model_id of the captioner; under evidence image of the model that looked; empty under evidence none]
--   prompt: [varchar, caption prompt; empty unless evidence is caption]
--   provenance: [varchar, "published, measured or simulated"]
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

counted as (
    select
        *,
        count(distinct case when pooled then reader end) over (partition by protocol, provenance) as n_readers,
        count(distinct case when pooled then reader end) over (partition by protocol, provenance, captioner, prompt) as set_readers,
        max(case when evidence = 'caption' then set_repeats else 1 end) over (partition by protocol, reader, provenance) as n_repeats,
        count(case when protocol in ('captionqa/upstream', 'captionqa/strict') then protocol end)
            over (partition by reader, evidence, captioner, prompt, provenance) as parsers
    from sets
)

select
    protocol, reader, evidence, captioner, prompt, provenance, n_readers, n_repeats,
    pooled and n_readers > 1 and set_readers = n_readers as shared,
    evidence = 'caption' and n_repeats > 1 and set_repeats = n_repeats as repeated,
    parsers = 2 and protocol in ('captionqa/upstream', 'captionqa/strict') as parsed_twice
from counted
where shared or repeated or parsed_twice;
