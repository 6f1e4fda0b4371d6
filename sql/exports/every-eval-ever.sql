-- shows: Every Eval Ever, records of CaptionQA's scores with their intervals, and samples of measured ones
-- about: Copy FOLDER/data into a pull request at evaleval/EEE_datastore.
-- parameters: {captioner: null, prompt: null, reader: null}
-- form: json
-- file: "data/captionqa/{developer}/{model}/{uuid}.json"

-- Schema 0.3.0. A record has the score and the accuracy overall and of each domain; printed rows have no intervals and no samples.
with records as (
    from captionqa_records()
    where captioner = coalesce($captioner, captioner) and prompt = coalesce($prompt, prompt) and reader = coalesce($reader, reader)
),

-- Names of items tell CaptionQA's questions from a user's own.
banks as (
    select coalesce(bool_and(regexp_full_match(image_id, '(nat|doc|ecom|emb)_\d+')), true) as is_captionqa from questions
),

figures as (
    select
        r.evaluation_id, s.level <> 'overall' as is_part, s.domain, f.metric, f.place, json_merge_patch('{}', json_object(
            'evaluation_result_id', concat_ws('/', r.evaluation_id, s.domain, f.metric),
            'evaluation_name', format('CaptionQA {} ({})', f.metric, s.domain),
            'source_data', case when is_captionqa or s.origin = 'published'
                then json_object('dataset_name', 'CaptionQA', 'source_type', 'hf_dataset', 'hf_repo', 'Borise/CaptionQA', 'samples_number', s.n_questions)
                else json_object('dataset_name', 'questions of our own, asked as CaptionQA asks', 'source_type', 'other')
            end,
            'metric_config', json_object(
                'evaluation_description', case f.metric
                    when 'score' then 'mean points of a reader''s answers to questions from the caption alone: 1 correct, 1/K + 0.05 cannot answer, of K options'
                    else 'share of a reader''s answers from the caption alone that are correct'
                end,
                'metric_id', 'captionqa.' || f.metric, 'metric_name', f.metric, 'metric_unit', 'percent', 'lower_is_better', false,
                'score_type', 'continuous', 'min_score', 0, 'max_score', 105,
                'llm_scoring', json_object(
                    'judges', [json_object(
                        'model_info', json_object('name', r.reader_name, 'id', r.reader_id, 'additional_details', json_object(
                            'deployment_type', case when s.origin = 'published' then 'self_deployed' else 'unknown' end, 'model_availability', r.reader_weights
                        ))
                    )],
                    'input_prompt', 'The caption, the question and its options with letters; the reply is a letter. Protocol ' || r.protocol
                )
            ),
            'score_details', json_object(
                'score', f.value,
                'details', json_object('level', s.level, 'domain', s.domain, 'note', s.note),
                'uncertainty', case when f.low is not null then json_object(
                    'standard_error', json_object('value', f.se, 'method', 'analytic, clustered by image'),
                    'confidence_interval', json_object(
                        'lower', f.low, 'upper', f.high, 'confidence_level', 0.95, 'method', 'Korn and Graubard, effective images - 1 degrees of freedom, over domains by Satterthwaite'
                    ),
                    'num_samples', s.n_answers
                ) end
            )
        )) as result
    from records as r
    inner join captionqa_scores as s using (condition_id, origin)
    cross join banks
    cross join lateral (
        select 'score' as metric, 1 as place, s.score as value, s.score_se as se, s.score_low as low, s.score_high as high
        union all select 'accuracy', 2, s.accuracy, s.accuracy_se, s.accuracy_low, s.accuracy_high
    ) as f
    where s.level in ('overall', 'domain') and f.value is not null
),

results as (
    select evaluation_id, list(result order by is_part, domain, place) as results from figures group by evaluation_id
),

samples as (
    select captioner, prompt, reader, protocol, provenance, 'answers' as origin, count(*) as n
    from answers_wide
    where evidence = 'caption' and question is not null
    group by all
)

select
    r.developer, r.model, r.uuid, r.provenance, json_merge_patch('{}', json_object(
        'schema_version', '0.3.0', 'evaluation_id', r.evaluation_id, 'evaluation_timestamp', case when r.origin = 'answers' then r.stamp end,
        'retrieved_timestamp', r.stamp,
        'source_metadata', json_object(
            'source_name', case r.origin when 'answers' then 'captionlake' else 'CaptionQA: Is Your Caption as Useful as the Image Itself?' end,
            'source_type', case r.origin when 'answers' then 'evaluation_run' else 'documentation' end,
            'source_organization_name', case r.origin when 'answers' then 'unknown' else 'CaptionQA' end,
            'source_organization_url', case r.origin when 'published' then 'https://arxiv.org/abs/2511.21025' end,
            'evaluator_relationship', case r.origin when 'answers' then 'other' else 'third_party' end
        ),
        'eval_library', json_object(
            'name', case r.origin when 'answers' then 'captionlake' else 'CaptionQA' end,
            'version', coalesce(case r.origin when 'answers' then (select max_by(tool_version, finished_at) from runs) end, 'unknown')
        ),
        'model_info', json_object('name', r.name, 'id', r.model_id, 'developer', r.developer, 'additional_details', json_object(
            'deployment_type', 'unknown', 'model_availability', r.weights, 'caption_prompt', r.prompt
        )),
        'evaluation_results', f.results,
        'detailed_evaluation_results', case when s.n > 0 then json_object(
            'format', 'jsonl', 'file_path', format('data/captionqa/{}/{}/{}_samples.jsonl', r.developer, r.model, r.uuid),
            'hash_algorithm', 'sha256', 'total_rows', s.n
        ) end
    )) as content,
    case when split_part(r.model_id, '/', 1) = 'unknown'
        then format('{} has no organization in the registry; the store files it under unknown', r.captioner) end as note
from records as r
inner join results as f using (evaluation_id)
left join samples as s using (captioner, prompt, reader, protocol, provenance, origin)
order by r.developer, r.model, r.uuid
