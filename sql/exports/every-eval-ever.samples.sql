-- shows: Every Eval Ever, the samples of measured records
-- parameters: {captioner: null, prompt: null, reader: null}
-- form: jsonl
-- file: "data/captionqa/{developer}/{model}/{uuid}_samples.jsonl"

-- The captioner is the model under test: its output is the caption, and a reader takes the answer from it.
with asked as (
    select
        r.*, a.* exclude (captioner, prompt, reader, protocol, provenance),
        if(a.outcome = 'cannot', 'cannot answer', coalesce(a.choice, '')) as chosen,
        concat_ws(chr(10), a.question, array_to_string([o for o in a.options], chr(10))) as raw
    from captionqa_records() as r
    inner join answers_wide as a using (captioner, prompt, reader, protocol, provenance)
    where r.origin = 'answers' and a.evidence = 'caption' and a.question is not null
        and captioner = coalesce($captioner, captioner) and prompt = coalesce($prompt, prompt)
        and reader = coalesce($reader, reader)
)

select
    developer, model, uuid, provenance, json_merge_patch('{}', {
        'schema_version': '0.3.0', 'evaluation_id': evaluation_id, 'model_id': model_id,
        'evaluation_name': format('CaptionQA score ({})', domain),
        'evaluation_result_id': concat_ws('/', evaluation_id, domain, 'score'),
        'sample_id': concat(question_id, '#' || nullif(repeat, 0)), 'sample_hash': sha256(raw || answer),
        'interaction_type': 'single_turn', 'input': {'raw': raw, 'reference': [answer], 'choices': options},
        'output': {'raw': [coalesce(caption, '')]},
        'answer_attribution': [{
            'turn_idx': 0, 'source': 'output.raw', 'extracted_value': chosen, 'is_terminal': true,
            'extraction_method': 'llm_judge'
        }],
        'evaluation': {'score': round(score, 6), 'is_correct': outcome = 'correct'},
        'metadata': {
            'image_id': image_id, 'domain': domain, 'category': category, 'outcome': outcome, 'reader': reader,
            'reply': reply
        }
    }) as content
from asked
order by developer, model, uuid, domain, question_id, repeat
