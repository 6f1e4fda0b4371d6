package llm

import (
	"math"
	"testing"
	"time"
)

func at(seconds float64) time.Time {
	return time.Unix(0, 0).Add(time.Duration(seconds * float64(time.Second)))
}

// By hand: from 4, slow start adds 1 per answer (4, 5, 6); a decrease gives 6 · 0.7 = 4.2; then an answer adds 1/4.2.
func TestLimiterByHand(t *testing.T) {
	l := newLimiter(Concurrency{Initial: 4, Min: 2, Max: 7}, time.Minute)
	l.answered(at(0), at(1), 4)
	l.answered(at(0), at(1), 4)
	if l.limit != 6 {
		t.Fatalf("slow start: %v, want 6", l.limit)
	}
	l.congested(at(1), at(2))
	if math.Abs(l.limit-4.2) > 1e-12 {
		t.Fatalf("decrease: %v, want 4.2", l.limit)
	}
	l.congested(at(1.5), at(3)) // sent before the decrease
	if math.Abs(l.limit-4.2) > 1e-12 {
		t.Errorf("one burst of refusals lowered the limit twice: %v", l.limit)
	}
	l.answered(at(2.5), at(3), 4)
	if want := 4.2 + 1/4.2; math.Abs(l.limit-want) > 1e-12 {
		t.Errorf("additive increase: %v, want %v", l.limit, want)
	}
	before := l.limit
	l.answered(at(2.5), at(3), 1) // fewer in flight than half the limit
	if l.limit != before {
		t.Errorf("an idle replica's limit grew to %v", l.limit)
	}
	for range 100 {
		l.answered(at(3), at(3), 7)
	}
	if l.limit != 7 {
		t.Errorf("limit %v, want the largest, 7", l.limit)
	}
	for i := range 100 {
		l.congested(at(float64(10+i)), at(float64(10+i)))
	}
	if l.limit != 2 {
		t.Errorf("limit %v, want the smallest, 2", l.limit)
	}
}

// By hand: the mean starts at the first latency, 1 s, and moves by a tenth: 1 + 0.1 · (12 − 1) = 2.1 s is above the limit of 2.
func TestLimiterLatency(t *testing.T) {
	l := newLimiter(Concurrency{Initial: 10}, 2*time.Second)
	l.answered(at(0), at(1), 10)
	if l.limit != 11 {
		t.Fatalf("limit %v, want 11", l.limit)
	}
	l.answered(at(1), at(13), 10)
	if math.Abs(l.latency-2.1) > 1e-9 || math.Abs(l.limit-7.7) > 1e-9 {
		t.Errorf("latency %v and limit %v, want 2.1 and 7.7", l.latency, l.limit)
	}
}

func TestBreaker(t *testing.T) {
	b := breaker{trip: 3, first: 2 * time.Second, longest: 5 * time.Second}
	b.failed(at(0), false, false)
	b.failed(at(0), false, false)
	b.healthy()
	b.failed(at(1), false, false)
	b.failed(at(1), false, false)
	if b.open {
		t.Fatal("failures that were not consecutive took the replica out")
	}
	if !b.failed(at(1), false, false) || b.ready(at(2.9)) || !b.ready(at(3)) {
		t.Fatalf("after three failures in a row: %+v", b)
	}
	if b.failed(at(1.5), false, false) || b.until != at(3) {
		t.Error("a request from before prolonged the time out")
	}
	b.sent()
	if b.ready(at(3)) {
		t.Error("two trials at once")
	}
	b.failed(at(4), true, false) // 2 s doubled
	if b.until != at(8) {
		t.Errorf("second time out until %v, want 8 s", b.until)
	}
	b.sent()
	b.failed(at(9), true, false) // 8 s would be above the longest
	if b.until != at(14) {
		t.Errorf("third time out until %v, want 14 s", b.until)
	}
	b.sent()
	b.abandoned()
	if !b.ready(at(14)) {
		t.Error("an abandoned trial keeps the replica out")
	}
	if !b.healthy() || !b.ready(at(0)) || b.wait != 0 {
		t.Errorf("after an answer: %+v", b)
	}
}

func TestBackoff(t *testing.T) {
	b := Backoff{Base: time.Second, Cap: 10 * time.Second, MaxRetryAfter: time.Minute}
	for _, c := range []struct {
		failed     int
		retryAfter time.Duration
		random     float64
		want       time.Duration
	}{
		{1, 0, 0.5, 500 * time.Millisecond}, // half of 1 s
		{3, 0, 0.5, 2 * time.Second},        // half of 1 s · 2²
		{5, 0, 0.5, 5 * time.Second},        // half of the cap, since 16 s is above it
		{500, 0, 0.5, 5 * time.Second},
		{1, 7 * time.Second, 0.25, 7250 * time.Millisecond},
		{1, time.Hour, 0, time.Minute},
		{2, 0, 0, 0},
	} {
		if got := b.delay(c.failed, c.retryAfter, c.random); got != c.want {
			t.Errorf("delay(%d, %v, %v) = %v, want %v", c.failed, c.retryAfter, c.random, got, c.want)
		}
	}
	if got := (Backoff{}).delay(1, 0, 0.5); got != 250*time.Millisecond {
		t.Errorf("default %v", got)
	}
}

func TestParseRetryAfter(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "3": 3 * time.Second, " 2 ": 2 * time.Second, "0.5": 500 * time.Millisecond, "-4": 0, "NaN": 0, "1e300": 1e6 * time.Second, "soon": 0,
		"Mon, 04 May 2026 12:00:30 GMT": 30 * time.Second, "Mon, 04 May 2026 11:00:00 GMT": 0, "Monday, 04-May-26 12:00:05 GMT": 5 * time.Second,
	} {
		if got := parseRetryAfter(value, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}
