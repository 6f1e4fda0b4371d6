-- what: "captions in inspect's logs as JSON: the completion of each sample; the id of the sample is the picture"
-- shape: captions
-- rows: [samples]
-- detect: [eval.model, samples.id, samples.output]
-- not: [samples.choices]

select s.row_in_file, s.id::varchar as image, s.output ->> '$.completion' as caption, f.eval ->> '$.model' as captioner
from samples as s
cross join file as f
