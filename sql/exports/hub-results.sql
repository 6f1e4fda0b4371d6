-- shows: Hugging Face Hub, the overall score of CaptionQA as .eval_results of a model's repository
-- about: Upload the folder .eval_results to the repository of the model; the Hub shows values of its benchmarks.
-- parameters: {captioner: null, prompt: null, reader: null}
-- form: yaml
-- file: "{captioner}/.eval_results/captionqa-{prompt}-{reader}-{origin}.yaml"

select
    r.captioner, r.prompt, r.reader, origin, r.provenance,
    [json_merge_patch('{}', {
        'dataset': {'id': 'Borise/CaptionQA', 'task_id': 'captionqa'},
        'value': round(s.score, 2),
        'date': case when origin = 'answers' then strftime(r.finished_at, '%Y-%m-%d') end,
        'source': case when origin = 'published'
            then {'url': 'https://arxiv.org/abs/2511.21025', 'name': 'CaptionQA, the paper'} end,
        'notes': concat_ws('; ',
            'score in percent, mean of ' || if(s.domain = 'Overall', 'the four domains', s.domain),
            'caption prompt ' || r.prompt, 'reader ' || r.reader_id, 'protocol ' || r.protocol,
            s.n_questions || ' questions',
            printf('95%% interval %.2f to %.2f, clustered by image', s.score_low, s.score_high), s.note
        )
    })] as content,
    case when not r.is_captionqa then
        'the questions of the lake are not CaptionQA''s, and the Hub knows no others; ingest CaptionQA''s bank'
    end as refused,
    'the Hub shows the value once Borise/CaptionQA is a benchmark there, with a task captionqa in its eval.yaml' as note
from captionqa_records() as r
inner join captionqa_scores as s using (condition_id, origin)
where s.level = 'overall' and s.score is not null and r.captioner = coalesce($captioner, r.captioner)
    and r.prompt = coalesce($prompt, r.prompt) and r.reader = coalesce($reader, r.reader)
order by r.captioner, r.prompt, r.reader, origin
