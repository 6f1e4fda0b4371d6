package llm

import (
	"testing"
	"time"
)

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
