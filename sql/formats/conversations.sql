-- for:
--   conversations: {what: "conversations, LLaVA's and ShareGPT's: the first turn of gpt", turns: conversations, who:
--       from, said: value, type: VARCHAR, plain: value, models: "'gpt', 'assistant'", people: "'human', 'user'"}
--   messages: {what: "chat messages, as LLaMA-Factory has them: the first message of the assistant", turns: messages,
--       who: role, said: content, type: JSON, plain: "content ->> '$'", models: "'assistant'", people: "'user'"}
-- what: "captions as $what is the caption"
-- shape: captions
-- detect: [$turns.$who, $turns.$said]
-- columns:
--   image: [image, images]

with turns as (
    select row_in_file, image, fault, from_json(to_json($turns), '[{"$who": "VARCHAR", "$said": "$type"}]') as turns
        from named
)

select
    row_in_file, image, fault, list_filter(turns, lambda t: t."$who" in ($models))[1].$said as caption,
    trim(replace(list_filter(turns, lambda t: t."$who" in ($people))[1].$plain, '<image>', ''), E' \n') as prompt
from turns
