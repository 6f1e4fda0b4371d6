package llm

import (
	"math"
	"testing"
	"time"
)

func at(seconds float64) time.Time {
	return time.Unix(0, 0).Add(time.Duration(seconds * float64(time.Second)))
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
