//go:build linux

package stages

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// BenchmarkStart measures a run that has nothing to ask, on a lake with a hundred recorded units of
// 330 questions each.
func BenchmarkStart(b *testing.B) {
	l := laketest.New(b)
	var captioners []string
	for i := range 100 {
		captioners = append(captioners, fmt.Sprintf("captioner-%02d", i))
	}
	must.Succeed(b, fillSynthetic(l, 20, 330, captioners...))
	c := rehearsal(serve(b, nil))
	mustRun(b, l, c, answering)
	c = rehearsal(closedAddress())
	b.ResetTimer()
	for range b.N {
		for _, r := range mustRun(b, l, c, answering) {
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
