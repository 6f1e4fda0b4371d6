//go:build linux

package stages

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/stub"
)

// The sizes of the CaptionQA bank: its 657 images have 50 questions each in the full set, 33,027 together, and 13 in the
// public one (CaptionQA Table 1).
const (
	bankImages    = 657
	fullQuestions = 33_027
)

// fillSynthetic makes a bank of so many questions, spread evenly over the images, and for each image one caption of some
// 320 tokens of each captioner.
func fillSynthetic(l *data.Lake, images, questions int, captioners ...string) error {
	if len(captioners) == 0 {
		captioners = []string{"synthetic"}
	}
	tx, err := l.Begin(data.Unit{Stage: "test", Name: "synthetic", Provenance: data.ProvenanceSimulated})
	if err != nil {
		return err
	}
	defer tx.Abort()
	bank, err := data.NewRowWriter(tx, data.Questions)
	if err != nil {
		return err
	}
	captions, err := data.NewRowWriter(tx, data.Captions)
	if err != nil {
		return err
	}
	orders := captionqa.NewOrderStream(0)
	colours := []string{"Red", "Blue", "Green", "Yellow"}
	n := 0
	for i := range images {
		id := fmt.Sprintf("nat_%05d", i)
		for _, captioner := range captioners {
			text := fmt.Sprintf("Picture %d as %s has it. ", i, captioner) +
				strings.Repeat("The bench near the pond is blue, and three kites fly above the trees. ", 18)
			if err := captions.Write(data.Caption{
				ImageID: id, Captioner: captioner, Prompt: captionqa.PromptSimple, Domain: "Natural", Caption: text,
				Words: int32(len(strings.Fields(text))), Provenance: data.ProvenanceSimulated,
			}); err != nil {
				return err
			}
		}
		for q := 0; n < questions*(i+1)/images; q++ {
			if err := bank.Write(data.Question{
				QuestionID: fmt.Sprintf("%s/%04d", id, q), ImageID: id, Domain: "Natural", Category: "Object Attributes", Ordinal: int32(n),
				Question: fmt.Sprintf("What colour is the bench number %d?", q), Options: colours, AnswerIndex: int32(q % 4),
				OptionOrder: orders.Next(5), OrderRule: "upstream-full-bank", Source: "synthetic",
			}); err != nil {
				return err
			}
			n++
		}
	}
	return tx.Commit()
}

// BenchmarkAnswerRun measures a whole answer run without latency, client and server in one process over loopback HTTP:
// plan, ask, journal, calls, and answers under two parsers, all of it on disk.
func BenchmarkAnswerRun(b *testing.B) {
	const questions = 13 * bankImages
	url := serve(b, nil, stub.Options{Latency: stub.Latency{CacheTokens: 1 << 20}}, nil)
	asking, cpu := time.Duration(0), time.Duration(0)
	n := 0
	b.StopTimer()
	for range b.N {
		l := newLake(b)
		if err := fillSynthetic(l, bankImages, questions); err != nil {
			b.Fatal(err)
		}
		c := rehearsal(url)
		c.Endpoints[0].Concurrency = ConcurrencyConfig{Initial: 64, Max: 64}
		b.StartTimer()
		started, used := time.Now(), cpuTime(b)
		for _, r := range mustRun(b, l, c, Choice{Stage: AnswerStage}) {
			if r.Answered != questions || r.Rows != 2*questions || r.Failed != 0 {
				b.Fatalf("%+v", r)
			}
			n += r.Answered
		}
		asking += time.Since(started)
		cpu += cpuTime(b) - used
		b.StopTimer()
	}
	b.ReportMetric(float64(n)/asking.Seconds(), "questions/s")
	// The processor time tells what the machine could do when nothing else runs on it.
	b.ReportMetric(float64(cpu.Microseconds())/float64(n), "cpu-µs/question")
}

// cpuTime is the processor time that the process has used, the server's share included.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
