-- what: "a metric's scores of battles (battle, score_a, score_b) as records; the metric is --reader or a column metric"
-- shape: scores
-- detect: [battle, score_a, score_b]
-- columns:
--   battle: [battle]
--   score_a: [score_a]
--   score_b: [score_b]
--   metric: [metric]

select * from named
