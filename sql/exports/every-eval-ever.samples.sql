-- shows: Every Eval Ever, the samples of measured records
-- parameters: {captioner: null, prompt: null, reader: null}
-- form: jsonl
-- file: "data/captionqa/{developer}/{model}/{uuid}_samples.jsonl"

-- The captioner is the model under test: its output is the caption, and a reader takes the answer from it.
with records as (
    from captionqa_records()
    where captioner = coalesce($captioner, captioner) and prompt = coalesce($prompt, prompt) and reader = coalesce($reader, reader)
        and origin = 'answers'
),

asked as (
    select
        r.*, a.question_id, a.repeat, a.image_id, a.domain, a.category, a.outcome, a.score, a.options, a.answer, a.caption, a.reply,
        case a.outcome when 'cannot' then 'cannot answer' else coalesce(a.choice, '') end as chosen,
        concat_ws(chr(10), a.question, array_to_string([o for o in a.options], chr(10))) as raw
    from records as r
    inner join answers_wide as a using (captioner, prompt, reader, protocol, provenance)
    where a.evidence = 'caption' and a.question is not null
)

select
    developer, model, uuid, provenance, json_merge_patch('{}', json_object(
        'schema_version', '0.3.0', 'evaluation_id', evaluation_id, 'model_id', model_id, 'evaluation_name', format('CaptionQA score ({})', domain),
        'evaluation_result_id', concat_ws('/', evaluation_id, domain, 'score'),
        'sample_id', question_id || case when repeat > 0 then '#' || repeat else '' end, 'sample_hash', sha256(raw || answer),
        'interaction_type', 'single_turn', 'input', json_object('raw', raw, 'reference', [answer], 'choices', options),
        'output', json_object('raw', [coalesce(caption, '')]),
        'answer_attribution', [json_object(
            'turn_idx', 0, 'source', 'output.raw', 'extracted_value', chosen, 'extraction_method', 'llm_judge', 'is_terminal', true
        )],
        'evaluation', json_object('score', round(score, 6), 'is_correct', outcome = 'correct'),
        'metadata', json_object('image_id', image_id, 'domain', domain, 'category', category, 'outcome', outcome, 'reader', reader, 'reply', reply)
    )) as content
from asked
order by developer, model, uuid, domain, question_id, repeat
