-- shows: CAPability, captions of the thirteen dimensions as its evaluation reads them
-- about: Each file is one dimension, as evaluation/eval.py of ali-vilab/CAPability reads it; its authors have no address for results.
-- parameters: {captioner: null, prompt: capability}
-- form: jsonl
-- file: "{captioner}/{dimension}.jsonl"

-- One caption for each sample of a dimension; its prompt has two texts, for images and for videos.
with samples as (
    select dimension, sample_id, min(line) as line
    from annotations
    where benchmark = 'capability'
    group by dimension, sample_id
),

wanted as (
    select c.captioner, s.dimension, s.sample_id, s.line, d.caption, c.provenance
    from (
        select captioner, min(provenance) as provenance
        from captions
        where captioner = coalesce($captioner, captioner) and prompt = $prompt
        group by captioner
    ) as c
    left join samples as s on true
    left join captions as d on d.captioner = c.captioner and d.prompt = $prompt and d.image_id = s.sample_id
)

select
    captioner, dimension, provenance, {'file_id': sample_id, 'caption': caption} as content,
    case
        when sample_id is null then 'the lake has no annotations of CAPability to tell whether the captions are complete; ingest its annotations'
        when count(caption) over of_captioner < count(*) over of_captioner then format(
            '{} has no caption for {} of the {} samples of the lake''s annotations: {}; caption these samples first', captioner,
            count(*) over of_captioner - count(caption) over of_captioner, count(*) over of_captioner,
            array_to_string((list(sample_id order by sample_id) filter (where caption is null) over of_captioner)[:5], ', ')
        )
        when (select count(distinct dimension) from samples) < 13
            then format('the lake has annotations of {} of the 13 dimensions; ingest all of them', (select count(distinct dimension) from samples))
    end as refused,
    case when count(*) filter (where caption = '') over of_captioner > 0
        then format('{}: {} captions are empty', captioner, count(*) filter (where caption = '') over of_captioner) end as note
from wanted
window of_captioner as (partition by captioner)
order by captioner, dimension, line, sample_id
