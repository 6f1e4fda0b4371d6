package analytics

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

const (
	benchUnits        = 96     // 24 models under four prompts, as the paper evaluates
	benchQuestions    = 33_027 // questions of the full bank
	benchShortAnswers = 1_000  // answers to a unit without CAPTIONLAKE_BENCH_FULL
)

// benchImages are the images of the four domains (CaptionQA Table 1).
var benchImages = []int{158, 178, 121, 200}

// BenchmarkBuildModels builds every model over the answers of 96 units: 3.2 million rows when CAPTIONLAKE_BENCH_FULL
// is set. It reports rows/s over all models and the process's peak memory.
func BenchmarkBuildModels(b *testing.B) {
	perUnit := benchShortAnswers
	if os.Getenv("CAPTIONLAKE_BENCH_FULL") != "" {
		perUnit = benchQuestions
	}
	lake := laketest.New(b)
	fillAnswers(b, lake, perUnit)
	before := peakMemory(b)
	for b.Loop() {
		b.StopTimer()
		must.Succeed(b, os.RemoveAll(lake.Path("marts")))
		b.StartTimer()
		reports, err := Analyze(context.Background(), lake, RunOptions{})
		must.Succeed(b, err)
		if testing.Verbose() {
			for _, r := range reports {
				b.Logf("%s: %d rows in %v", r.Model, r.Rows, r.Duration)
			}
		}
	}
	rows := float64(benchUnits * perUnit)
	b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(peakMemory(b), "peak-MB")
	b.ReportMetric(before, "peak-MB-before")
}

// BenchmarkAnalyzeOneMoreUnit adds one unit of answers to the lake of BenchmarkBuildModels, whose models are built, and analyzes again:
// 33,027 answers beside 3.1 million when CAPTIONLAKE_BENCH_FULL is set.
func BenchmarkAnalyzeOneMoreUnit(b *testing.B) {
	perUnit := benchShortAnswers
	if os.Getenv("CAPTIONLAKE_BENCH_FULL") != "" {
		perUnit = benchQuestions
	}
	lake := laketest.New(b)
	fillAnswers(b, lake, perUnit)
	units, err := lake.Units(data.Answers)
	must.Succeed(b, err)
	last := slices.Max(slices.Collect(maps.Keys(units)))
	aside := b.TempDir()
	move := func(from, to func(table string) string) {
		b.Helper()
		for _, table := range []string{"answers", "runs"} {
			must.Succeed(b, os.Rename(from(table), to(table)))
		}
	}
	inLake := func(table string) string { return lake.Path(table + "/" + last + ".parquet") }
	outside := func(table string) string { return filepath.Join(aside, table) }
	analyze := func() {
		b.Helper()
		if _, err := Analyze(context.Background(), lake, RunOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		b.StopTimer()
		move(inLake, outside)
		analyze()
		move(outside, inLake)
		b.StartTimer()
		analyze()
	}
	b.ReportMetric(peakMemory(b), "peak-MB")
}

// fillAnswers writes the units of 24 captioners under four prompts.
func fillAnswers(b *testing.B, lake *data.Lake, perUnit int) {
	b.Helper()
	domains := []string{"Natural", "Document", "E-commerce", "Embodied AI"}
	outcomes := []string{"correct", "correct", "correct", "incorrect", "cannot"}
	random := rand.New(rand.NewPCG(1, 2))
	for u := range benchUnits {
		captioner, prompt := fmt.Sprintf("model-%02d", u/4), []string{"Long", "Short", "Simple", "Taxonomy-Hinted"}[u%4]
		rows := make([]data.Answer, perUnit)
		for i := range rows {
			domain := domains[i%4]
			outcome := outcomes[random.IntN(len(outcomes))]
			image := fmt.Sprintf("%s_%03d", strings.ToLower(domain[:3]), i/4%benchImages[i%4])
			rows[i] = data.Answer{
				Protocol: "captionqa/upstream", Reader: "reader", Evidence: "caption", Captioner: captioner, Prompt: prompt,
				QuestionID: fmt.Sprintf("%s/%012x", image, i), ImageID: image, Domain: domain, Category: fmt.Sprintf("%s category %d", domain, i%6),
				Subcategory: fmt.Sprintf("subcategory %d", i%17),
				Options:     4, OffersCannot: true, Outcome: outcome, Score: map[string]float64{"correct": 1, "cannot": 0.3}[outcome],
				RequestHash: fmt.Sprintf("%064x", random.Uint64()), Provenance: data.ProvenanceSimulated,
			}
		}
		addRows(b, lake, data.Answers, fmt.Sprintf("%s %s", captioner, prompt), rows...)
	}
}

// peakMemory is the greatest resident size that the process has had, in megabytes; 0 where the system does not tell.
func peakMemory(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			must.Succeed(b, err)
			return kb / 1024
		}
	}
	return 0
}
