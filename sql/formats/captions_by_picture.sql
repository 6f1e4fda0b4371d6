-- what: "captions by picture as JSON: {image: caption}, or {image: [caption, …]}"
-- shape: captions
-- rows: [entries]

select row_in_file, key as image, value as caption from entries
