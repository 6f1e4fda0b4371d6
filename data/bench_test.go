package data

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// benchUnits is 24 models under four prompts, as the paper evaluates.
const benchUnits = 96

// benchRows is the number of answers of one unit: the whole bank when CAPTIONLAKE_BENCH_FULL is
// set.
func benchRows() int {
	if os.Getenv("CAPTIONLAKE_BENCH_FULL") != "" {
		return 33_027
	}
	return 1_000
}

// benchAnswers makes the answers of one unit as they come back from a run: in bank order, not in
// key order.
func benchAnswers(unit, rows int, random *rand.Rand) []Answer {
	domains := []string{"Natural", "Document", "E-commerce", "Embodied AI"}
	outcomes := []string{"correct", "correct", "correct", "incorrect", "cannot"}
	scores := map[string]float64{"correct": 1, "cannot": 0.3}
	out := make([]Answer, rows)
	for i := range out {
		domain, outcome := domains[i%4], outcomes[random.IntN(len(outcomes))]
		image := fmt.Sprintf("img_%03d", i%657)
		choice := int32(random.IntN(4))
		out[i] = Answer{
			Protocol: "captionqa/upstream", Reader: "reader", Evidence: "caption",
			Captioner: fmt.Sprintf("model-%02d", unit/4), Prompt: []string{"Long", "Short", "Simple",
				"Taxonomy-Hinted"}[unit%4],
			QuestionID: fmt.Sprintf("%s/%010x", image, i*2654435761), ImageID: image, Domain: domain,
			Category: fmt.Sprintf("%s category %d", domain, i%6), Options: 4, OffersCannot: true, ChoiceIndex: &choice,
			Outcome: outcome, Score: scores[outcome], RequestHash: fmt.Sprintf("%064x", random.Uint64()),
			Provenance: ProvenanceSimulated,
		}
	}
	return out
}

func writeBenchUnits(b *testing.B, l *Lake, rows int) {
	b.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	for u := range benchUnits {
		b.StopTimer()
		answers := benchAnswers(u, rows, random)
		b.StartTimer()
		writeUnit(b, l, Unit{Stage: "bench", Name: fmt.Sprint(u), Provenance: ProvenanceSimulated}, Answers, answers...)
	}
}

// BenchmarkWriteAnswers sorts, writes and commits 96 units of answers: 3.2 million rows with
// CAPTIONLAKE_BENCH_FULL.
func BenchmarkWriteAnswers(b *testing.B) {
	rows := benchRows()
	l := newLake(b)
	for b.Loop() {
		writeBenchUnits(b, l, rows)
	}
	report(b, rows)
}

// BenchmarkReadAnswers reads them back as typed rows, every column.
func BenchmarkReadAnswers(b *testing.B) {
	rows := benchRows()
	l := newLake(b)
	writeBenchUnits(b, l, rows)
	for b.Loop() {
		n, score := 0, 0.0
		for a, err := range Scan(l, Answers) {
			must.Succeed(b, err)
			score += a.Score
			n++
		}
		if n != benchUnits*rows || score == 0 {
			b.Fatalf("read %d rows with the score %v", n, score)
		}
	}
	report(b, rows)
}

func report(b *testing.B, rows int) {
	b.Helper()
	b.ReportMetric(float64(benchUnits*rows*b.N)/b.Elapsed().Seconds(), "rows/s")
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return // Only Linux tells.
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb := must.Get(strconv.ParseFloat(strings.Fields(rest)[0], 64))(b)
			b.ReportMetric(kb/1024, "peak-MB")
		}
	}
}
