-- shows: CAPability, captions of the thirteen dimensions as its evaluation reads them
-- about: Each file is one dimension for evaluation/eval.py of ali-vilab/CAPability, which takes no results by others.
-- parameters: {captioner: null, prompt: capability}
-- form: jsonl
-- file: "{captioner}/{dimension}.jsonl"

-- One caption for each sample of a dimension; its prompt has two texts, for images and for videos.
with wanted as (
    select c.captioner, c.provenance, s.dimension, s.sample_id, s.line, d.caption
    from (
        select captioner, min(provenance) as provenance
        from captions
        where captioner = coalesce($captioner, captioner) and prompt = $prompt
        group by captioner
    ) as c
    left join (
        select dimension, sample_id, min(line) as line from annotations where benchmark = 'capability' group by all
    ) as s on true
    left join captions as d on d.captioner = c.captioner and d.prompt = $prompt and d.image_id = s.sample_id
)

select
    captioner, dimension, provenance, {'file_id': sample_id, 'caption': caption} as content,
    case
        when sample_id is null then 'the lake has no annotations of CAPability to compare captions with; ingest them'
        when count(caption) over of_captioner < count(*) over of_captioner then format(
            '{} has no caption for {} of the {} samples of the lake''s annotations: {}; caption these samples first',
            captioner, count(*) over of_captioner - count(caption) over of_captioner, count(*) over of_captioner,
            array_to_string((list(sample_id order by sample_id) filter (caption is null) over of_captioner)[:5], ', ')
        )
        when count(distinct dimension) over of_captioner < 13
            then (13 - count(distinct dimension) over of_captioner) || ' of 13 dimensions lack annotations; ingest all'
    end as refused,
    format('{}: {} captions are empty', captioner, nullif(countif(caption = '') over of_captioner, 0)) as note
from wanted
window of_captioner as (partition by captioner)
order by captioner, dimension, line, sample_id
