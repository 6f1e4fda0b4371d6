package simulate

import (
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/must"
)

// BenchmarkRun writes a lake of the paper's size: 3.4 million answers.
func BenchmarkRun(b *testing.B) {
	rows := int64(0)
	for b.Loop() {
		lake, err := data.Create(b.TempDir(), "benchmark")
		must.Succeed(b, err)
		report, err := Run(b.Context(), lake, Options{Seed: 1, Scale: 1})
		must.Succeed(b, err)
		rows += report.Rows
		must.Succeed(b, lake.Close())
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkDraw draws the answers of one captioner under one prompt without writing them.
func BenchmarkDraw(b *testing.B) {
	s, err := newSimulation(1, 1)
	must.Succeed(b, err)
	for b.Loop() {
		s.outcomes(unit{"gpt-5", captionqa.PromptSimple})
	}
}
