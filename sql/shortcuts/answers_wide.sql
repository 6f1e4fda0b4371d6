-- what: every answer that counts, with the question, the options, the caption that was read, the raw reply, its tokens
--     and the picture
-- example: select question, answer, choice, caption from answers_wide
--     where captioner = 'gpt-5' and outcome = 'incorrect' limit 10
-- columns:
--   unit, protocol, reader, reader_name, evidence, captioner, captioner_name, prompt, domain, category:
--   subcategory: second taxonomy level; empty when the bank names only the first
--   image_id:
--   picture: file of the first frame of the item, relative to the folder of the lake; null when the lake lacks it
--   question_id, repeat:
--   question: text of the question; null without a bank
--   options: options in bank order, without the cannot option; null without a bank
--   answer: text of the option that is right; null without a bank
--   choice: text of the option that was chosen; null unless one was
--   outcome: correct, incorrect, cannot, unparsed or failed
--   score: 1 correct, 0 incorrect or unparsed or failed, 1/K + 0.05 cannot, for K options
--   caption: text of the caption that was read; null unless evidence is caption
--   caption_words: white-space separated words of the caption
--   reply: raw text of the reply; null without a recorded call, as all that follow but the last
--   reasoning: thoughts that the server kept apart from the reply; null without thoughts
--   finish_reason: stop, length, …; empty when the server gave none
--   error: last error of a failed call; empty for others
--   prompt_tokens: tokens of the prompt; 0 when unknown
--   cached_tokens: prompt tokens that the server took from its prefix cache
--   completion_tokens: tokens of the reply; 0 when unknown
--   latency_ms: milliseconds from the last attempt's start to the whole reply
--   request_hash: call that was parsed; empty without a call
--   provenance:

with replies as (
    {replies}
),

counted as (
    {answers}
)

select
    a.unit, a.protocol, a.reader, coalesce(r.name, a.reader) as reader_name, a.evidence, a.captioner,
    coalesce(m.name, a.captioner) as captioner_name, a.prompt, a.domain, a.category, a.subcategory, a.image_id,
    nullif(i.path, '') as picture, a.question_id, a.repeat, q.question, q.options,
    q.options[q.answer_index + 1] as answer,
    q.options[a.choice_index + 1] as choice, a.outcome, a.score, p.caption, p.words as caption_words, c.reply,
    c.reasoning, c.finish_reason,
    c.error, c.prompt_tokens, c.cached_tokens, c.completion_tokens, c.latency_ms, a.request_hash, a.provenance
from counted as a
left join questions as q on q.question_id = a.question_id
left join captions as p on p.image_id = a.image_id and p.captioner = a.captioner and p.prompt = a.prompt
    and a.evidence = 'caption'
left join replies as c on c.request_hash = a.request_hash and c.repeat = a.repeat
left join images as i on i.image_id = a.image_id and i.frame = 0
left join models as m on m.model_id = a.captioner
left join models as r on r.model_id = a.reader;
