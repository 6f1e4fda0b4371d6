//go:build linux

package stages

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// BenchmarkAnswerRun measures a whole answer run without latency, client and server in one process over loopback HTTP:
// plan, ask, journal, calls, and answers under two parsers, all of it on disk.
func BenchmarkAnswerRun(b *testing.B) {
	const questions = 13 * bankImages
	url := serve(b, nil, rehearsalserver.Options{}, nil)
	asking, cpu := time.Duration(0), time.Duration(0)
	n := 0
	b.StopTimer()
	for range b.N {
		l := laketest.New(b)
		must.Succeed(b, fillSynthetic(l, bankImages, questions))
		c := rehearsal(url)
		c.Endpoints[0].Concurrency = llm.Concurrency{Initial: 64, Max: 64}
		b.StartTimer()
		started, used := time.Now(), cpuTime(b)
		for _, r := range mustRun(b, l, c, config.Choice{Stage: "answer"}) {
			if r.Answered != questions || r.Rows != questions || r.Failed != 0 {
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

// BenchmarkStart measures a run that has nothing to ask, on a lake with a hundred recorded units of 330 questions each.
func BenchmarkStart(b *testing.B) {
	l := laketest.New(b)
	var captioners []string
	for i := range 100 {
		captioners = append(captioners, fmt.Sprintf("captioner-%02d", i))
	}
	must.Succeed(b, fillSynthetic(l, 20, 330, captioners...))
	c := rehearsal(serve(b, nil, rehearsalserver.Options{}, nil))
	mustRun(b, l, c, config.Choice{Stage: "answer"})
	c = rehearsal(closedAddress())
	b.ResetTimer()
	for range b.N {
		for _, r := range mustRun(b, l, c, config.Choice{Stage: "answer"}) {
			if r.Answered != 0 || r.Recorded != 330 {
				b.Fatalf("%+v", r)
			}
		}
	}
}

// cpuTime is the processor time that the process has used, the server's share included.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	must.Succeed(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
