-- what: "captions as records of a picture (image_id, image, file_name …) and a caption (caption, text …), as a JSON
--     list, JSON lines, CSV, TSV or Parquet, or as such a list within an object"
-- shape: captions
-- rows: [file, captions, annotations, results, predictions, data]
-- not: [question, query, choices, options, A, label, custom_id]
-- columns:
--   image: [image_id, image, img, img_path, image_path, image_file, image_name, file_name, filename, picture, images,
--       [id, path, filepath, url, image_url, img_url]]
--   caption: [caption, captions, text, prediction, pred, answer, description, response, output, comment]
--   captioner: [captioner, model, model_id, model_name]
--   prompt: [prompt]
--   domain: [domain]

select * from named
