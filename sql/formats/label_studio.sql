-- what: "captions as Label Studio exports them (JSON-MIN, CSV); the names of pictures begin with a digest of their
--     upload"
-- shape: captions
-- detect: [annotation_id, lead_time]
-- columns:
--   image: [image]
--   caption: [caption, text, description]

select * replace (regexp_replace(regexp_extract(image, '[^/]*$'), '^[0-9a-f]{8}-', '') as image) from named
