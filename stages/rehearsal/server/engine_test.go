package server

import (
	"context"
	"math"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// prompt makes blocks of 64 bytes, one for each letter.
func prompt(letters string) []byte {
	var b strings.Builder
	for _, l := range letters {
		b.WriteString(strings.Repeat(string(l), BlockTokens*bytesPerToken))
	}
	return []byte(b.String())
}

// By hand, with blocks of 16 tokens: ABC finds nothing and then itself, but for the block whose
// last token must be computed; AXC shares A alone, since a block is known by those before it, too.
func TestPrefixCacheByHand(t *testing.T) {
	e := newEngine(Latency{})
	for i, step := range []struct {
		letters       string
		further, hits int
	}{{"ABC", 5, 0}, {"ABC", 9, 48}, {"ABC", 0, 32}, {"AXC", 1, 16}, {"AXC", 1, 48}} {
		text := append(prompt(step.letters), make([]byte, step.further*bytesPerToken)...)
		if hits := e.run(t.Context(), blockKeys(text), tokens(len(text)), 1, false); hits != step.hits {
			t.Errorf("step %d: %d hits, want %d", i, hits, step.hits)
		}
	}
	if e.counts.queries != 53+57+48+49+49 || e.counts.hits != 0+48+32+16+48 {
		t.Errorf("%+v", e.counts)
	}
}

// By hand: 2 slots, 100 tokens per second, 0.5 s a step. Three requests of 100 tokens and 2 new
// ones arrive together; each has
// 101 tokens computed, its last new one drawn, and so takes 1.01 s of the accelerator and 1 s for
// its reply. The third waits for the first's slot, 2.01 s, and then for the second's prompt: 2.01 +
// 3.02 + 2.02 s are in the engine beside that.
func TestEngineByHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(Latency{Slots: 2, PrefillRate: 100, Step: 500 * time.Millisecond})
		start := time.Now()
		done := make(chan time.Duration, 3)
		for range cap(done) {
			go func() {
				e.run(context.Background(), nil, 100, 2, false)
				done <- time.Since(start)
			}()
		}
		for _, want := range []time.Duration{2010 * time.Millisecond, 3020 * time.Millisecond,
			4030 * time.Millisecond} {
			expect.Equal(t, <-done, want)
		}
		synctest.Wait()
		expect.Equal(t, e.counts, (counts{queries: 300, prompt: 300, generated: 6, stopped: 3,
			queued:   2010 * time.Millisecond,
			inferred: 7050 * time.Millisecond}))
	})
}

// One request runs and one waits for its slot when their client goes.
func TestEngineLetsGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(Latency{Slots: 1, Step: time.Hour})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				defer func() {
					expect.Equal[any](t, recover(), http.ErrAbortHandler, "it goes on")
				}()
				e.run(ctx, nil, 10, 1, false)
			})
		}
		wg.Wait()
		expect.Equal(t, e.counts, (counts{queries: 10, aborted: 2}))
	})
}

func TestParseLatency(t *testing.T) {
	for name, l := range latencies {
		l.Name = name
		expect.Equal(t, must.Get(ParseLatency(name))(t), l, name)
	}
	fast, err := ParseLatency("mi325x/10")
	if err != nil || fast.PrefillRate != 36000 || fast.Step != 2400*time.Microsecond || fast.Slots != 256 {
		t.Errorf("%+v, %v", fast, err)
	}
	for _, bad := range []string{"", "h100", "mi300x/0", "mi300x/-1", "mi300x/fast"} {
		if _, err := ParseLatency(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// The presets follow from the arithmetic in their comment.
func TestPresetsFollowFromDataSheets(t *testing.T) {
	const weights = 145e9
	for _, c := range []struct {
		name      string
		bandwidth float64
	}{{"mi300x", 5.3e12}, {"mi325x", 6.0e12}} {
		l := must.Get(ParseLatency(c.name))(t)
		near := func(what string, got, want float64) {
			if math.Abs(got/want-1) > 0.05 {
				t.Errorf("%s: %s %v, derived %v", c.name, what, got, want)
			}
		}
		near("step", l.Step.Seconds(), weights/c.bandwidth)
		near("prefill", l.PrefillRate, 0.4*1307e12/(2*72.7e9))
		expect.Equal(t, l.Slots, 256, c.name, l)
	}
}

func TestFaultPlan(t *testing.T) {
	f := must.Get(ParseFaults("8%"))(t)
	if len(f.Shares) != 8 || math.Abs(f.Shares[FaultReset]-0.01) > 1e-12 || f.Shares[FaultIgnoreChoice] != 0 {
		t.Errorf("%v", f.Shares)
	}
	for _, bad := range []string{"5", "x=5%", "429=50%,500=60%", "-1%", "NaN%", "429=101%"} {
		if _, err := ParseFaults(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	none, err := ParseFaults("")
	if err != nil || none.pick([]byte("x")) != FaultNone || (*Faults)(nil).pick(nil) != FaultNone {
		t.Error("an empty plan has faults")
	}
}

// Which request is hit depends on its content and the number of times it has come, not on the order
// of requests; shares are kept, for first attempts and for retries.
func TestFaultsAreDeterministic(t *testing.T) {
	const n = 4000
	plan := func() *Faults {
		return must.Get(ParseFaults("429=10%,reset=20%"))(t)
	}
	body := func(i int) []byte {
		return []byte(strings.Repeat("request ", 5) + string(rune('A'+i%26)) + time.Duration(i).String())
	}
	a, b := plan(), plan()
	first := make([]Fault, n)
	hit, again := 0, 0
	for i := range n {
		first[i] = a.pick(body(i))
		if first[i] != FaultNone {
			hit++
			if a.pick(body(i)) != FaultNone {
				again++
			}
		}
	}
	for i := n - 1; i >= 0; i-- {
		must.Equal(t, b.pick(body(i)), first[i], "the order of requests decides about faults")
	}
	// Binomial: 1200 ± 5 · 29 of 4000, and 30 % of those again, 360 ± 5 · 16.
	if hit < 1200-145 || hit > 1200+145 || again < 280 || again > 440 {
		t.Errorf("%d of %d hit, %d of those again", hit, n, again)
	}
}
