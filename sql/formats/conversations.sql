-- what: "captions as conversations, LLaVA's and ShareGPT's: the first turn of gpt is the caption"
-- shape: captions
-- detect: [conversations.from, conversations.value]
-- columns:
--   image: [image, images]

with turns as (
    select row_in_file, image, fault, from_json(to_json(conversations), '[{"from": "VARCHAR", "value": "VARCHAR"}]') as turns from named
)

select
    row_in_file, image, fault, list_filter(turns, lambda t: t."from" in ('gpt', 'assistant'))[1].value as caption,
    trim(replace(list_filter(turns, lambda t: t."from" in ('human', 'user'))[1].value, '<image>', ''), E' \n') as prompt
from turns
