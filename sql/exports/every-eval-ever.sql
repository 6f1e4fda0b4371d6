-- shows: Every Eval Ever, records of CaptionQA's scores with their intervals, and samples of measured ones
-- about: Copy FOLDER/data into a pull request at evaleval/EEE_datastore.
-- parameters: {captioner: null, prompt: null, reader: null}
-- form: json
-- file: "data/captionqa/{developer}/{model}/{uuid}.json"

-- Schema 0.3.0. A record has the score and the accuracy overall and of each domain; printed rows have no intervals.
with results as (
    select r.evaluation_id, list(json_merge_patch('{}', {
        'evaluation_result_id': concat_ws('/', r.evaluation_id, s.domain, f.metric),
        'evaluation_name': format('CaptionQA {} ({})', f.metric, s.domain),
        'source_data': if(r.is_captionqa, {
            'dataset_name': 'CaptionQA', 'source_type': 'hf_dataset', 'hf_repo': 'Borise/CaptionQA',
            'samples_number': s.n_questions
        }, {'dataset_name': 'questions of our own, asked as CaptionQA asks', 'source_type': 'other'}),
        'metric_config': {
            'evaluation_description': f.meaning, 'metric_id': 'captionqa.' || f.metric, 'metric_name': f.metric,
            'metric_unit': 'percent', 'lower_is_better': false, 'score_type': 'continuous', 'min_score': 0,
            'max_score': 105, 'llm_scoring': {
                'judges': [{'model_info': {'name': r.reader_name, 'id': r.reader_id, 'additional_details': {
                    'deployment_type': if(origin = 'published', 'self_deployed', 'unknown'),
                    'model_availability': r.reader_weights
                }}}],
                'input_prompt': 'Caption, question and lettered options; the reply is a letter. Protocol ' || r.protocol
            }
        },
        'score_details': {
            'score': f.value, 'details': {'level': s.level, 'domain': s.domain, 'note': s.note},
            'uncertainty': case when f.low is not null then {
                'standard_error': {'value': f.se, 'method': 'analytic, clustered by image'},
                'confidence_interval': {
                    'lower': f.low, 'upper': f.high, 'confidence_level': 0.95,
                    'method': 'Korn and Graubard, effective images - 1 degrees of freedom, Satterthwaite over domains'
                },
                'num_samples': s.n_answers
            } end
        }
    }) order by s.level <> 'overall', s.domain, f.metric desc) as results
    from captionqa_records() as r
    inner join captionqa_scores as s using (condition_id, origin)
    cross join lateral (
        values
        (
            'score', s.score, s.score_se, s.score_low, s.score_high,
            'mean points of answers from the caption: 1 correct, 1/K + 0.05 cannot answer, of K options'
        ),
        ('accuracy', s.accuracy, s.accuracy_se, s.accuracy_low, s.accuracy_high, 'share of answers that are correct')
    ) as f (metric, value, se, low, high, meaning)
    where s.level in ('overall', 'domain') and f.value is not null and r.captioner = coalesce($captioner, r.captioner)
        and r.prompt = coalesce($prompt, r.prompt) and r.reader = coalesce($reader, r.reader)
    group by r.evaluation_id
)

select
    r.developer, r.model, r.uuid, r.provenance, json_merge_patch('{}', {
        'schema_version': '0.3.0', 'evaluation_id': r.evaluation_id, 'retrieved_timestamp': r.stamp,
        'evaluation_timestamp': if(origin = 'answers', r.stamp, null),
        'source_metadata': if(origin = 'answers', {
            'source_name': 'captionlake', 'source_type': 'evaluation_run', 'evaluator_relationship': 'other',
            'source_organization_name': 'unknown', 'source_organization_url': null
        }, {
            'source_name': 'CaptionQA: Is Your Caption as Useful as the Image Itself?', 'source_type': 'documentation',
            'evaluator_relationship': 'third_party', 'source_organization_name': 'CaptionQA',
            'source_organization_url': 'https://arxiv.org/abs/2511.21025'
        }),
        'eval_library': {
            'name': if(origin = 'answers', 'captionlake', 'CaptionQA'),
            'version': if(origin = 'answers', (select max_by(tool_version, finished_at) from runs), 'unknown')
        },
        'model_info': {'name': r.name, 'id': r.model_id, 'developer': r.developer, 'additional_details': {
            'deployment_type': 'unknown', 'model_availability': r.weights, 'caption_prompt': r.prompt
        }},
        'evaluation_results': f.results,
        'detailed_evaluation_results': case when r.n_samples > 0 then {
            'format': 'jsonl', 'file_path': concat('data/captionqa/', r.model_id, '/', r.uuid, '_samples.jsonl'),
            'hash_algorithm': 'sha256', 'total_rows': r.n_samples
        } end
    }) as content,
    case when r.developer = 'unknown'
        then r.captioner || ' has no organization in the registry; the store files it under unknown' end as note
from captionqa_records() as r
inner join results as f using (evaluation_id)
order by r.developer, r.model, r.uuid
