-- shows: Hugging Face Hub, the overall score of CaptionQA as .eval_results of a model's repository
-- about: Upload the folder .eval_results to the repository of the model; the Hub shows values of datasets that are benchmarks there.
-- parameters: {captioner: null, prompt: null, reader: null}
-- form: yaml
-- file: "{captioner}/.eval_results/captionqa-{prompt}-{reader}-{origin}.yaml"

-- A file takes one value, so that reader, prompt, protocol and interval are notes.
with banks as (
    select coalesce(bool_and(regexp_full_match(image_id, '(nat|doc|ecom|emb)_\d+')), false) as is_captionqa from questions
)

select
    r.captioner, r.prompt, r.reader, r.origin, r.provenance,
    [json_merge_patch('{}', json_object(
        'dataset', json_object('id', 'Borise/CaptionQA', 'task_id', 'captionqa'),
        'value', round(s.score, 2),
        'date', case when r.origin = 'answers' then strftime(r.finished_at, '%Y-%m-%d') end,
        'source', case when r.origin = 'published' then json_object('url', 'https://arxiv.org/abs/2511.21025', 'name', 'CaptionQA, the paper') end,
        'notes', concat_ws('; ',
            'score in percent, mean of ' || case when s.domain = 'Overall' then 'the four domains' else s.domain end, 'caption prompt ' || r.prompt,
            'reader ' || r.reader_id, 'protocol ' || r.protocol, s.n_questions || ' questions',
            case when s.score_low is not null then printf('95%% interval %.2f to %.2f, clustered by image', s.score_low, s.score_high) end, s.note
        )
    ))] as content,
    case when r.origin = 'answers' and not is_captionqa
        then 'the questions of the lake are not CaptionQA''s, and only these have a dataset on the Hub; ingest CaptionQA''s bank' end as refused,
    'the Hub shows the value once Borise/CaptionQA is a benchmark there, with a task captionqa in its eval.yaml' as note
from captionqa_records() as r
inner join captionqa_scores as s using (condition_id, origin)
cross join banks
where s.level = 'overall' and s.score is not null
    and r.captioner = coalesce($captioner, r.captioner) and r.prompt = coalesce($prompt, r.prompt) and r.reader = coalesce($reader, r.reader)
order by r.captioner, r.prompt, r.reader, r.origin
