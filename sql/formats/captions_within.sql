-- what: "captions by picture within an object: {\"captions\": {image: caption}}"
-- shape: captions
-- detect: [captions]
-- not: [image, image_id, file_name, captions.image, captions.image_id, captions.file_name]

select entry.key as image, entry.value as caption
from (select unnest(map_entries(from_json(captions, '"MAP(VARCHAR, JSON)"'))) as entry from file)
