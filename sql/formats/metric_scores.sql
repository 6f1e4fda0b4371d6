-- what: "a metric's scores of captions (image, captioner, score) as records; the metric is --reader or a column metric"
-- shape: scores
-- detect: [image, captioner, score]
-- columns:
--   image: [image]
--   captioner: [captioner]
--   score: [score]
--   metric: [metric]
--   prompt: [prompt]

select * from named
