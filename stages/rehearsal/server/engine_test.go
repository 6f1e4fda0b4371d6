package server

import (
	"context"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

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

// By hand, with blocks of 16 tokens and room for 4 of them, each prompt asked for and given back before the next:
//
//	ABC+5 tokens   nothing known                                  0 hits; 3 blocks and an unnamed one; keeps A B C
//	ABC+9 tokens   A B C known, 48 of 57 tokens                   48 hits; keeps A B C
//	ABC exactly    the last token must be computed: only A B      32 hits; the third is computed again; keeps A B C
//	AXC            A, then other blocks: with C, B and A given    16 hits; needs AX, AXC and an unnamed one beside A, for
//	               back in this order, C goes first, then B       which C and then B go; keeps A AX AXC
//	ABC+5 tokens   only A left                                    16 hits
func TestPrefixCacheByHand(t *testing.T) {
	p := newBlockPool(4 * BlockTokens)
	for i, step := range []struct {
		letters string
		extra   int // bytes after the full blocks
		want    int
		kept    int
	}{{"ABC", 20, 0, 3}, {"ABC", 36, 48, 3}, {"ABC", 0, 32, 3}, {"AXC", 4, 16, 3}, {"ABC", 20, 16, 3}} {
		text := append(prompt(step.letters), strings.Repeat("z", step.extra)...)
		keys, n := blockKeys(text), tokens(len(text))
		if len(keys) != 3 {
			t.Fatalf("step %d: %d full blocks, want 3", i, len(keys))
		}
		blocks := p.find(keys, n)
		if got := len(blocks) * BlockTokens; got != step.want {
			t.Errorf("step %d: %d hits, want %d", i, got, step.want)
		}
		p.share(blocks)
		for len(blocks) < blocksOf(n) {
			blocks = append(blocks, p.take())
		}
		for j, k := range keys {
			p.name(blocks[j], k)
		}
		if p.used != blocksOf(n) || p.room() != 4-blocksOf(n) {
			t.Errorf("step %d: %d blocks used, %d free", i, p.used, p.room())
		}
		p.giveBack(blocks)
		if p.used != 0 || p.unused != step.kept || len(p.named) != step.kept {
			t.Errorf("step %d: %d used, %d kept, %d named; want %d kept", i, p.used, p.unused, len(p.named), step.kept)
		}
	}
}

// By hand: 2 slots, 100 tokens per second, at least 0.5 s a step, no cache. Three requests of 100 tokens and 2 new ones arrive
// together. The first comes alone into the first step, which ends at 1 s with its first new token. The second step gives it
// its other token and computes the prompt of the second, 101 tokens: 2.01 s. The slot that is free then goes to the third,
// whose prompt is computed with the second's other token: 3.02 s. Its own last step is the shortest: 3.52 s.
func TestEngineByHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(Latency{Slots: 2, PrefillRate: 100, Step: 500 * time.Millisecond})
		start := time.Now()
		done := make(chan time.Duration, 3)
		for i := range 3 {
			go func() {
				if i > 0 { // within the first step
					time.Sleep(time.Millisecond)
				}
				if _, err := e.run(context.Background(), nil, 100, 2, false); err != nil {
					t.Error(err)
				}
				done <- time.Since(start)
			}()
		}
		synctest.Wait()
		for _, want := range []time.Duration{2010 * time.Millisecond, 3020 * time.Millisecond, 3520 * time.Millisecond} {
			if got := <-done; got != want {
				t.Errorf("finished at %v, want %v", got, want)
			}
		}
		if e.counts.prompt != 300 || e.counts.generated != 6 || e.counts.stopped != 3 || len(e.running)+len(e.waiting) != 0 {
			t.Errorf("counted %+v, %d running, %d waiting", e.counts, len(e.running), len(e.waiting))
		}
	})
}

// Requests that come together share what they have in common, as those do that come one after another: vLLM shows a block in
// the step that schedules it. All but the first hit the 3 blocks of 16 tokens that are common to all.
func TestRequestsThatComeTogetherShareTheirPrefix(t *testing.T) {
	for name, apart := range map[string]time.Duration{"together": 0, "one after another": time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			e := newEngine(Latency{Slots: 8, PrefillRate: 1000, Step: 10 * time.Millisecond, CacheTokens: 1 << 12})
			var hits [8]int
			var wg sync.WaitGroup
			for i := range hits {
				text := append(prompt("ABC"), prompt(string(rune('a'+i)))...)
				wg.Go(func() {
					var err error
					if hits[i], err = e.run(t.Context(), blockKeys(text), tokens(len(text)), 2, false); err != nil {
						t.Error(err)
					}
				})
				time.Sleep(apart)
			}
			wg.Wait()
			total := 0
			for _, h := range hits {
				total += h
			}
			if total != 7*48 || e.counts.hits != 7*48 || e.counts.queries != 8*64 {
				t.Errorf("%s: %v hits, %+v; want 48 each but once", name, hits, e.counts)
			}
		})
	}
}

// A prompt longer than a step's budget is computed in parts, and its blocks are shown part by part. By hand: 32 tokens of
// budget, a prompt of 4 blocks, and one that begins alike and comes in the first step: it waits until there is budget in the
// third, when all of the first's blocks are shown.
func TestLongPromptsTakeSeveralSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(Latency{Slots: 8, Step: time.Second, BatchTokens: 32, CacheTokens: 1 << 12})
		start := time.Now()
		var wg sync.WaitGroup
		wg.Go(func() {
			if hits, err := e.run(t.Context(), blockKeys(prompt("ABCD")), 64, 1, false); hits != 0 || err != nil || time.Since(start) != 2*time.Second {
				t.Errorf("%d hits, %v after %v", hits, err, time.Since(start))
			}
		})
		time.Sleep(time.Millisecond)
		wg.Go(func() {
			if hits, err := e.run(t.Context(), blockKeys(prompt("ABCE")), 64, 1, false); hits != 48 || err != nil || time.Since(start) != 3*time.Second {
				t.Errorf("%d hits, %v after %v", hits, err, time.Since(start))
			}
		})
		wg.Wait()
	})
}

// When memory runs short, the sequence that started last is put off and loses no token. By hand: 8 blocks, two requests of 3
// full blocks and 33 new tokens each. After the step of the prompts each has 49 tokens and so 4 blocks; with 65 the first
// needs a ninth block.
func TestShortMemoryPutsSequencesOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(Latency{Slots: 8, Step: time.Second, CacheTokens: 8 * BlockTokens})
		var wg sync.WaitGroup
		for _, letters := range []string{"ABC", "XYZ"} {
			wg.Go(func() {
				if _, err := e.run(t.Context(), blockKeys(prompt(letters)), 48, 33, true); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if e.counts.preempted != 1 || e.counts.generated != 66 || e.counts.cut != 2 || e.memory.used != 0 || e.counts.queries != 96 {
			t.Errorf("%+v, %d blocks used", e.counts, e.memory.used)
		}
	})
	// A prompt that memory cannot hold at all is served alone rather than never.
	e := newEngine(Latency{CacheTokens: BlockTokens})
	for range 2 {
		if _, err := e.run(t.Context(), blockKeys(prompt("ABC")), 48, 1, false); err != nil || e.memory.used != 0 || e.memory.unused > 1 {
			t.Errorf("%v, %d blocks used and %d kept", err, e.memory.used, e.memory.unused)
		}
	}
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
		e.mu.Lock() // The engine's own goroutine may still be at it.
		defer e.mu.Unlock()
		if e.counts.aborted != 2 || len(e.running)+len(e.waiting) != 0 {
			t.Errorf("%+v", e.counts)
		}
	})
}

// By hand: 1000 tokens/s and 49 + 1 tokens each allow 20 requests/s; 3 slots of 2 · 0.1 s allow 15.
func TestCeiling(t *testing.T) {
	l := Latency{Slots: 3, PrefillRate: 1000, Step: 100 * time.Millisecond}
	if got := l.Ceiling(49, 2); math.Abs(got-15) > 1e-9 {
		t.Errorf("by slots %v, want 15", got)
	}
	l.Slots = 400
	if got := l.Ceiling(49, 2); math.Abs(got-20) > 1e-9 {
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
	}{{"mi300x", 191.98 * (1 << 30), 5.3e12}, {"mi325x", 255.98 * (1 << 30), 6.0e12}} {
		l, err := ParseLatency(c.name)
		must.Succeed(t, err)
		near := func(what string, got, want float64) {
			if math.Abs(got/want-1) > 0.05 {
				t.Errorf("%s: %s %v, derived %v", c.name, what, got, want)
			}
		}
		near("step", l.Step.Seconds(), weights/c.bandwidth)
		near("prefill", l.PrefillRate, 0.4*1307e12/(2*72.7e9))
		near("cache", float64(l.CacheTokens), (0.92*c.memory-weights-5e9)/perToken)
		if l.Slots != 256 || l.BatchTokens != 16384 {
			t.Errorf("%s has other limits than the servers that stages/deploy starts: %+v", c.name, l)
		}
	}
}

func TestFaultPlan(t *testing.T) {
	f, err := ParseFaults("8%")
	must.Succeed(t, err)
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
		must.Succeed(t, err)
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
