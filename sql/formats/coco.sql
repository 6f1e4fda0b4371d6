-- what: "COCO's annotations; image_id is looked up in images: {\"images\": [{id, file_name}], \"annotations\":
--     [{image_id, caption}]}"
-- shape: captions
-- rows: [annotations]
-- detect: [images.id, images.file_name, annotations.image_id, annotations.caption]

select
    a.row_in_file, i.file_name as image, a.caption,
    case when i.id is null
        then format('image_id {} is not among the images of the file: add it, or remove the annotation',
        a.image_id::varchar) end as fault
from annotations as a
left join images as i on i.id::varchar = a.image_id::varchar
