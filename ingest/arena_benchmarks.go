package ingest

import (
	"context"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// benchmarkScoresFormat reads what models score on other benchmarks, to be held against the ranking of their captions (CapArena
// Figure 4), as CSV with a header row or as a JSON list of objects:
//
//	model,benchmark,score
//	InternVL2-26B,MMMU,51.2
//
// Scores become rows of published whose item is Figure 4, whose category is the benchmark and whose metric is benchmark_score.
func benchmarkScoresFormat() Format {
	return Format{
		Name:       "benchmark-scores",
		What:       "models' scores on other benchmarks, as CSV or a JSON list (model, benchmark, score), to compare with CapArena's ranking",
		Version:    "1",
		Provenance: data.ProvenancePublished,
		Detect:     func(_ Source, head []byte) bool { return hasAll(recordColumns(head), benchmarkScores) },
		Unit:       func(s Source, _ Options) (string, error) { return arenaUnit(s, ""), nil },
		Load:       loadBenchmarkScores,
	}
}

var benchmarkScores = []string{"model", "benchmark", "score"}

// The scores of Figure 4 as rows of published.
const (
	figure4         = "Figure 4"
	metricBenchmark = "benchmark_score"
)

func loadBenchmarkScores(ctx context.Context, j *Job) error {
	rows, err := data.NewRowWriter(j.Tx, data.PublishedFigures)
	if err != nil {
		return err
	}
	n := 0
	seen := map[string]int{}
	err = eachRecord(ctx, j, func(r *record) error {
		n++
		model := r.need("model", "the model's name")
		benchmark := r.need("benchmark", "the benchmark's name, such as MMMU")
		score, scored := r.number("score")
		if r.ok && !scored {
			r.fault("score", "the score is empty: write it, or leave the row out")
		}
		if !r.ok {
			return nil
		}
		id, err := data.ModelIDFor(model)
		if err != nil {
			return err
		}
		key := id + "\x00" + benchmark
		if line, twice := seen[key]; twice {
			r.fault("model", "%s has a score on %s in line %d already: keep one of the two", clip(model), clip(benchmark), line)
			return nil
		}
		seen[key] = r.at("model").line
		_, fraction, _ := strings.Cut(r.text("score"), ".")
		return rows.Write(data.Published{
			Benchmark: data.BenchmarkCapArena, Source: sourceScores, Item: figure4, Model: model, ModelID: id, Category: benchmark,
			Metric: metricBenchmark, Value: score, Unit: "points", Decimals: int32(min(len(fraction), 9)), File: j.Source.base(), Line: int32(r.start.line),
		})
	})
	if err == nil && n == 0 && len(j.faults.All) == 0 {
		j.Fault(1, 1, "the table has no scores: get the whole file")
	}
	return err
}
