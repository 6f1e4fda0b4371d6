//go:build linux

package stages

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
)

// The size of a domain under construction as CaptionQA has it (sections 4.3 and 12): about 10,000 questions are kept of three times as many
// candidates, which are tried ten times without their pictures.
const (
	domainImages     = 200
	domainCandidates = 30_000
)

// A draft is candidates that a lake has, made up, with what the stages before would have left of them.
type draft struct {
	images, candidates, trials, width int // trials of each candidate, none of them a hit; coordinates of its vector; none of either when 0
}

// fill writes the draft. A fifth of the vectors are near-duplicates of another's.
func (d draft) fill(l *data.Lake) error {
	tx, err := l.Begin(data.Unit{Stage: "test", Name: "draft", Provenance: data.ProvenanceSimulated})
	if err != nil {
		return err
	}
	defer tx.Abort()
	var faults []error
	write := func(err error) { faults = append(faults, err) }
	images := opened(tx, data.Images, write)
	taxonomy := opened(tx, data.Taxonomy, write)
	candidates := opened(tx, data.Candidates, write)
	trials := opened(tx, data.BlindTrials, write)
	vectors := opened(tx, data.Embeddings, write)
	taxonomy(data.TaxonomyNode{Domain: "kitchen", Category: "Attribute", Subcategory: "Colour", Level: 2, Examples: []string{}})
	r := rand.New(rand.NewPCG(9, 10))
	var last []float32
	for n := range d.candidates {
		image := fmt.Sprintf("kitchen-%03d", n*d.images/d.candidates)
		if n == 0 || n*d.images/d.candidates != (n-1)*d.images/d.candidates {
			images(data.Image{ImageID: image, Domain: "kitchen", Path: "images/none.png"})
		}
		id := fmt.Sprintf("%s/%016x", image, n)
		candidates(data.Candidate{
			CandidateID: id, ImageID: image, Domain: "kitchen", Category: "Attribute", Subcategory: "Colour", Generator: "rehearsal-writer-a", AnswerIndex: int32(n % 4),
			Question: fmt.Sprintf("What colour is item %d on the shelf?", n), Options: []string{"Red", "Blue", "Green", "Yellow"}, Provenance: data.ProvenanceSimulated,
		})
		for trial := range d.trials {
			trials(data.BlindTrial{CandidateID: id, Reader: "rehearsal-reader-eager", Trial: int32(trial), OptionOrder: []int32{0, 1, 2, 3}, Provenance: data.ProvenanceSimulated})
		}
		if d.width > 0 {
			v := make([]float32, d.width)
			for i := range v {
				v[i] = float32(r.NormFloat64() / math.Sqrt(float64(d.width)))
				if n%5 == 4 {
					v[i] = last[i] + v[i]/10
				}
			}
			vectors(data.Embedding{CandidateID: id, Model: "rehearsal-embedder", Vector: v, Provenance: data.ProvenanceSimulated})
			last = v
		}
	}
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return tx.Commit()
}

// BenchmarkDeduplicateRun measures the stage on disk: candidates, trials and vectors read, groups committed. With CAPTIONLAKE_BENCH_FULL it
// has a whole domain, and a tenth of one without.
func BenchmarkDeduplicateRun(b *testing.B) {
	d := draft{domainImages / 10, domainCandidates / 10, 10, 4096}
	if os.Getenv("CAPTIONLAKE_BENCH_FULL") != "" {
		d.images, d.candidates = domainImages, domainCandidates
	}
	b.StopTimer()
	asking, cpu, peak := time.Duration(0), time.Duration(0), uint64(0)
	for range b.N {
		l := laketest.New(b)
		must.Succeed(b, d.fill(l))
		c := constructing(closedAddress())
		runtime.GC()
		runtime.GC() // what pools keep goes with the second
		started, used, watched := time.Now(), cpuTime(b), watchHeap()
		b.StartTimer()
		for _, r := range mustRun(b, l, c, config.Choice{Stage: "deduplicate"}) {
			if r.Rows != d.candidates {
				b.Fatalf("%+v", r)
			}
		}
		b.StopTimer()
		asking, cpu, peak = asking+time.Since(started), cpu+cpuTime(b)-used, max(peak, watched())
	}
	b.ReportMetric(float64(b.N*d.candidates)/asking.Seconds(), "candidates/s")
	b.ReportMetric(cpu.Seconds()/float64(b.N), "cpu-s")
	b.ReportMetric(float64(peak)/1e6, "MB-heap")
}

// watchHeap samples the heap until it is called again, which gives the most that was seen.
func watchHeap() (most func() uint64) {
	done, result := make(chan struct{}), make(chan uint64)
	go func() {
		most := uint64(0)
		samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		for {
			metrics.Read(samples)
			most = max(most, samples[0].Value.Uint64())
			select {
			case <-done:
				result <- most
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return func() uint64 {
		close(done)
		return <-result
	}
}
