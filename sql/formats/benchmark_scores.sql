-- what: "models' scores on other benchmarks (model, benchmark, score) as records, to compare with CapArena's ranking"
-- shape: model_scores
-- provenance: published
-- columns:
--   model: [model]
--   benchmark: [benchmark]
--   score: [score]

select * from named
