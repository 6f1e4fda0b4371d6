package main

import (
	"bytes"
	"context"
	"image"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/report"
	"github.com/captionlake/captionlake/plots/samples"
)

// heldSource is a source whose marts are in memory, so that nothing but the making of a report is timed.
type heldSource struct {
	marts  []report.Mart
	runs   []report.Run
	tables map[string]*plots.Table
}

func (s heldSource) Marts(context.Context) ([]report.Mart, error) { return s.marts, nil }
func (s heldSource) Runs(context.Context) ([]report.Run, error)   { return s.runs, nil }
func (s heldSource) Table(_ context.Context, mart string) (*plots.Table, error) {
	return s.tables[mart], nil
}
func (heldSource) Picture(context.Context, string) (image.Image, error)            { return nil, nil }
func (heldSource) Caption(context.Context, string, string, string) (string, error) { return "", nil }

// hold reads all marts of a lake.
func hold(b *testing.B, dir string) heldSource {
	b.Helper()
	lake, err := data.Open(dir)
	must.Succeed(b, err)
	reader, err := analytics.OpenReader(b.Context(), lake, analytics.EngineOptions{})
	must.Succeed(b, err)
	defer func() { must.Succeed(b, reader.Close()) }()
	source := newReportSource(lake, reader, samples.Options{})
	held := heldSource{tables: map[string]*plots.Table{}}
	held.marts, err = source.Marts(b.Context())
	must.Succeed(b, err)
	held.runs, err = source.Runs(b.Context())
	must.Succeed(b, err)
	for _, m := range held.marts {
		held.tables[m.Name], err = source.Table(b.Context(), m.Name)
		must.Succeed(b, err)
	}
	return held
}

// BenchmarkReport makes every table and figure, each in all its forms, from the marts of a simulated lake: of the paper's size when
// CAPTIONLAKE_BENCH_FULL is set, else of a twentieth of it. The marts are made and read before the clock starts.
func BenchmarkReport(b *testing.B) {
	scale := "0.05"
	if os.Getenv("CAPTIONLAKE_BENCH_FULL") != "" {
		scale = "1"
	}
	lake := filepath.Join(b.TempDir(), "lake")
	for _, args := range [][]string{{"simulate", "--lake", lake, "--scale", scale}, {"analyze", "--lake", lake}} {
		var stderr bytes.Buffer
		if code := run(args, strings.NewReader(""), &bytes.Buffer{}, &stderr); code != exitOK {
			b.Fatalf("%v: exit code %d: %s", args, code, stderr.String())
		}
	}
	source := hold(b, lake)
	made := map[string]int{}
	for b.Loop() {
		r, err := report.Build(b.Context(), source, report.Options{})
		must.Succeed(b, err)
		clear(made)
		for _, i := range r.Items {
			if len(i.Files) > 0 {
				made[i.Form+"s"]++
			}
		}
	}
	for _, form := range slices.Sorted(maps.Keys(made)) {
		b.ReportMetric(float64(made[form]), form)
	}
}
