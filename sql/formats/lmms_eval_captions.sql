-- what: "lmms-eval's sample logs of its captioning tasks (coco, nocaps, flickr30k, textcaps, detailcaps), with their
--     references"
-- shape: captions
-- detect: [doc_id, "coco_*|nocaps_*|flickr_*|textcaps_*|detailcaps_*"]

with samples as (
    select row_in_file, coalesce(*columns('^(coco|nocaps|flickr|textcaps|detailcaps)_.*')) as sample from file
)

select
    row_in_file, sample ->> 'image_id' as image, sample ->> 'pred' as caption, sample -> 'answer' as "references"
from samples
