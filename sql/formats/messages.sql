-- what: "captions as chat messages, as LLaMA-Factory has them: the first message of the assistant is the caption"
-- shape: captions
-- detect: [messages.role, messages.content]
-- columns:
--   image: [image, images]

with turns as (
    select row_in_file, image, fault, from_json(to_json(messages), '[{"role": "VARCHAR", "content": "JSON"}]') as turns from named
)

select
    row_in_file, image, fault, list_filter(turns, lambda t: t.role = 'assistant')[1].content as caption,
    trim(replace(list_filter(turns, lambda t: t.role = 'user')[1].content ->> '$', '<image>', ''), E' \n') as prompt
from turns
