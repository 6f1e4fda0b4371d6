package web

import (
	"testing"
	"time"
)

func TestAway(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{"": 0, "1.5": 1500 * time.Millisecond, "-3": 0, "NaN": 0, "x": 0, "Inf": 1e6 * time.Second, "1e300": 1e6 * time.Second} {
		if got := Away(text); got != want {
			t.Errorf("Away(%q) = %v, want %v", text, got, want)
		}
	}
}
