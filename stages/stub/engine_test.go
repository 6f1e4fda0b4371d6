package stub

import (
	"context"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// prompt makes blocks of 64 bytes, one for each letter.
func prompt(letters string) []byte {
	var b strings.Builder
	for _, l := range letters {
		b.WriteString(strings.Repeat(string(l), BlockTokens*bytesPerToken))
	}
	return []byte(b.String())
}

// By hand, with blocks of 16 tokens and room for 4 of them:
//
//	ABC+5 tokens   nothing cached                                 0 hits; holds A B C
//	ABC+9 tokens   A B C cached, 48 of 57 tokens                  48 hits
//	ABC exactly    the last token must be computed: only A B      32 hits
//	AXC            A, then another block                          16 hits; adds AX and AXC: A B C AX AXC is one too many,
//	               and the least recently used is C (the end of the prompt goes before its start)
//	ABC+5 tokens   A B left                                       32 hits
func TestPrefixCacheByHand(t *testing.T) {
	c := newPrefixCache(4 * BlockTokens)
	now := time.Unix(0, 0)
	for i, step := range []struct {
		letters string
		extra   int // bytes after the full blocks
		want    int
	}{{"ABC", 20, 0}, {"ABC", 36, 48}, {"ABC", 0, 32}, {"AXC", 4, 16}, {"ABC", 20, 32}} {
		text := append(prompt(step.letters), strings.Repeat("z", step.extra)...)
		keys := blockKeys(text)
		if len(keys) != 3 {
			t.Fatalf("step %d: %d full blocks, want 3", i, len(keys))
		}
		if got := c.lookup(keys, tokens(len(text)), now); got != step.want {
			t.Errorf("step %d: %d hits, want %d", i, got, step.want)
		}
		c.store(keys, now)
		if c.recent.Len() > 4 || len(c.blocks) != c.recent.Len() {
			t.Errorf("step %d: %d blocks in a cache of 4", i, c.recent.Len())
		}
	}
}

// A block is found by everything before it, not by its own tokens.
func TestBlockKeysCoverThePrefix(t *testing.T) {
	a, b := blockKeys(prompt("ABC")), blockKeys(prompt("XBC"))
	for i := range a {
		if a[i] == b[i] {
			t.Errorf("block %d has one key under two prefixes", i)
		}
	}
	if again := blockKeys(prompt("AB")); again[0] != a[0] || again[1] != a[1] {
		t.Error("equal prefixes have different keys")
	}
}

func TestBlocksAreFoundWhenComputed(t *testing.T) {
	c := newPrefixCache(1 << 10)
	keys := blockKeys(prompt("ABCD"))
	c.store(keys, time.Unix(10, 0))
	if got := c.lookup(keys, 100, time.Unix(9, 0)); got != 0 {
		t.Errorf("%d hits before the computation was done", got)
	}
	if got := c.lookup(keys, 100, time.Unix(10, 0)); got != 64 {
		t.Errorf("%d hits after it", got)
	}
	if empty := newPrefixCache(0); empty.capacity != 0 {
		t.Error("capacity")
	} else if empty.store(keys, time.Unix(0, 0)); empty.lookup(keys, 100, time.Unix(1, 0)) != 0 {
		t.Error("a cache without room keeps blocks")
	}
}

// By hand: 2 slots, 100 prompt tokens per second, 0.5 s per new token, no cache. Three requests of 100 tokens and 2 new ones
// arrive together. Prefill ends at 1 s and 2 s for the first two, which finish at 2 s and 3 s. The third gets its slot at 2 s,
// its prefill ends at 3 s, and it finishes at 4 s.
func TestEngineByHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(Latency{Slots: 2, PrefillRate: 100, Step: 500 * time.Millisecond})
		start := time.Now()
		done := make(chan time.Duration, 3)
		for range 3 {
			go func() {
				if _, err := e.run(context.Background(), nil, 100, 2, false); err != nil {
					t.Error(err)
				}
				done <- time.Since(start)
			}()
		}
		for _, want := range []time.Duration{2 * time.Second, 3 * time.Second, 4 * time.Second} {
			if got := <-done; got != want {
				t.Errorf("finished at %v, want %v", got, want)
			}
		}
		if e.counts.prompt != 300 || e.counts.generated != 6 || e.counts.stopped != 3 || e.running != 0 || e.waiting != 0 {
			t.Errorf("counted %+v, %d running, %d waiting", e.counts, e.running, e.waiting)
		}
	})
}

func TestEngineLetsGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(Latency{Slots: 1, Step: time.Hour})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if _, err := e.run(ctx, nil, 10, 1, false); err == nil {
					t.Error("no error")
				}
			})
		}
		wg.Wait()
		if e.counts.aborted != 2 || len(e.slots) != 0 || e.running != 0 || e.waiting != 0 {
			t.Errorf("%+v", e.counts)
		}
	})
}

// By hand: 1000 tokens/s and 50 tokens each allow 20 requests/s; 4 slots of 0.05 s + 2 · 0.1 s allow 16.
func TestCeiling(t *testing.T) {
	l := Latency{Slots: 4, PrefillRate: 1000, Step: 100 * time.Millisecond}
	if got := l.Ceiling(50, 2); math.Abs(got-16) > 1e-9 {
		t.Errorf("by slots %v, want 16", got)
	}
	l.Slots = 400
	if got := l.Ceiling(50, 2); math.Abs(got-20) > 1e-9 {
		t.Errorf("by prefill %v, want 20", got)
	}
	if (Latency{}).Ceiling(50, 2) != 0 {
		t.Error("a model without limits has one")
	}
}

func TestParseLatency(t *testing.T) {
	for _, l := range Latencies() {
		if got, err := ParseLatency(l.Name); err != nil || got != l {
			t.Errorf("%s: %+v, %v", l.Name, got, err)
		}
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
	const weights, perToken = 145e9, 80 * 8 * 128 * 2 * 2
	for _, c := range []struct {
		name              string
		memory, bandwidth float64
	}{{"mi300x", 192e9, 5.3e12}, {"mi325x", 256e9, 6.0e12}} {
		l, err := ParseLatency(c.name)
		if err != nil {
			t.Fatal(err)
		}
		near := func(what string, got, want float64) {
			if math.Abs(got/want-1) > 0.05 {
				t.Errorf("%s: %s %v, derived %v", c.name, what, got, want)
			}
		}
		near("step", l.Step.Seconds(), weights/c.bandwidth)
		near("prefill", l.PrefillRate, 0.4*1307e12/(2*72.7e9))
		near("cache", float64(l.CacheTokens), (0.9*c.memory-weights-5e9)/perToken)
	}
}

func TestFaultPlan(t *testing.T) {
	f, err := ParseFaults("8%")
	if err != nil {
		t.Fatal(err)
	}
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

// Which request is hit depends on its content and the number of times it has come, not on the order of requests; shares are
// kept, for first attempts and for retries of what failed.
func TestFaultsAreDeterministic(t *testing.T) {
	const n = 4000
	plan := func() *Faults {
		f, err := ParseFaults("429=10%,reset=20%")
		if err != nil {
			t.Fatal(err)
		}
		return f
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
		if b.pick(body(i)) != first[i] {
			t.Fatal("the order of requests decides about faults")
		}
	}
	// Binomial: 1200 ± 5 · 29 of 4000, and 30 % of those again, 360 ± 5 · 16.
	if hit < 1200-145 || hit > 1200+145 || again < 280 || again > 440 {
		t.Errorf("%d of %d hit, %d of those again", hit, n, again)
	}
}
