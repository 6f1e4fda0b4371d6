package simulate

import (
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// BenchmarkRun writes a lake of the paper's size: 3.4 million answers.
func BenchmarkRun(b *testing.B) {
	rows := int64(0)
	for b.Loop() {
		lake, err := data.Create(b.TempDir(), "benchmark")
		if err != nil {
			b.Fatal(err)
		}
		report, err := Run(b.Context(), lake, Options{Seed: 1, Scale: 1})
		if err != nil {
			b.Fatal(err)
		}
		rows += report.Rows
		if err := lake.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkDraw draws the answers of one captioner under one prompt without writing them.
func BenchmarkDraw(b *testing.B) {
	s, err := newSimulation(1, 1)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s.outcomes(unit{"gpt-5", captionqa.PromptSimple})
	}
}
