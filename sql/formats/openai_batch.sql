-- what: "outputs of a batch of OpenAI or vLLM whose custom_id is the picture"
-- shape: captions
-- detect: [custom_id, response.body]

select
    row_in_file, custom_id as image, response ->> '$.body.choices[0].message.content' as caption,
    case
        when response ->> '$.body.choices[0].message.content' is null
            then 'the request failed (status ' || coalesce(response ->> '$.status_code', 'unknown') || ')'
    end as leave_out
from file
