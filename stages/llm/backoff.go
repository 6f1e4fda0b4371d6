package llm

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Backoff says how long a call waits between attempts.
type Backoff struct {
	Base          time.Duration // mean wait before the second attempt is half of it; 0 is 500 ms
	Cap           time.Duration // longest wait of our own choice; 0 is 30 s
	MaxRetryAfter time.Duration // longest wait that a server may ask for; 0 is 2 min
}

// delay returns the wait after a number of failed attempts, at least 1: "full jitter", a random share of Base doubled per
// attempt up to Cap, so that calls that failed together do not come back together. A server's Retry-After is waited
// out, with the jitter of a first retry on top. random is from 0 to below 1.
func (b Backoff) delay(failed int, retryAfter time.Duration, random float64) time.Duration {
	base := orDefault(b.Base, 500*time.Millisecond)
	if retryAfter > 0 {
		return min(retryAfter, orDefault(b.MaxRetryAfter, 2*time.Minute)) + time.Duration(random*float64(base))
	}
	wait := orDefault(b.Cap, 30*time.Second)
	// A shift beyond the cap's own bits would overflow; the cap is reached long before.
	if shift := failed - 1; shift < 30 && base<<shift > 0 {
		wait = min(wait, base<<shift)
	}
	return time.Duration(random * float64(wait))
}

// parseRetryAfter reads the header in both of its forms, seconds and HTTP date (RFC 9110 section 10.2.3). Anything else, a
// past date and a negative number are 0.
func parseRetryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if value == "" {
		return 0
	}
	// Fractions are not in the standard, but some gateways send them.
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		if !(seconds > 0) { // also not a number
			return 0
		}
		return time.Duration(min(seconds, 1e6) * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
