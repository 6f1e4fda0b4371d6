package llm

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The wait of a call between attempts.
const (
	backoffBase   = 500 * time.Millisecond // the mean wait before the second attempt is half of backoffBase
	backoffCap    = 30 * time.Second       // longest wait that we choose
	maxRetryAfter = 2 * time.Minute        // longest wait that a server may ask for
)

// delay returns the wait after a number of failed attempts, at least 1. It is "full jitter": a
// random share of the base, doubled per attempt up to the cap, so that calls that failed together
// do not return together. A server's Retry-After is waited out, up to maxRetryAfter, plus the
// jitter of a first retry. random is from 0 to below 1.
func delay(failed int, retryAfter time.Duration, random float64) time.Duration {
	if retryAfter > 0 {
		return min(retryAfter, maxRetryAfter) + time.Duration(random*float64(backoffBase))
	}
	// Ten doublings are above the cap already; many more would overflow.
	return time.Duration(random * float64(min(backoffBase<<min(failed-1, 10), backoffCap)))
}

// parseRetryAfter reads the header in both of its forms, seconds and HTTP date (RFC 9110 section
// 10.2.3). Anything else, a past date and a negative number are 0.
func parseRetryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	// Fractions are not in the standard, but some gateways send them.
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		if !(seconds > 0) { // true for NaN, too
			return 0
		}
		return time.Duration(min(seconds, 1e6) * float64(time.Second)) // 1e6: so that nothing overflows
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
