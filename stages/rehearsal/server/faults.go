package server

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"
)

// Fault is a planned fault of a request.
type Fault string

// The faults. A percentage without names leaves out FaultIgnoreChoice, since a server either
// honours constraints or does not.
const (
	FaultNone         Fault = ""
	FaultRateLimit    Fault = "429"           // HTTP 429 with Retry-After
	FaultServer       Fault = "500"           // HTTP 500
	FaultOverload     Fault = "503"           // HTTP 503 with an HTML page, as proxies send
	FaultReset        Fault = "reset"         // the connection is cut before a reply
	FaultSlow         Fault = "slow"          // the reply comes after two seconds
	FaultCut          Fault = "truncated"     // the reply's body ends early
	FaultGarbage      Fault = "malformed"     // HTTP 200 with something that is not JSON
	FaultEmpty        Fault = "empty"         // a reply without a choice
	FaultIgnoreChoice Fault = "ignore-choice" // the constraint field is ignored, as servers do with unknown fields
)

// drawnFaults are the faults with shares, in the order of the draw.
var drawnFaults = []Fault{FaultRateLimit, FaultServer, FaultOverload, FaultReset, FaultSlow, FaultCut, FaultGarbage,
	FaultEmpty, FaultIgnoreChoice}

// even is the number of faults that a percentage without names covers: the first of drawnFaults.
const even = 8

// Faults is a plan of faults. The fault of a request is drawn from the request's body and the
// number of times that the body has come. So a run meets the same faults in any order of its
// requests, and a retry gets a new draw.
type Faults struct {
	Shares map[Fault]float64 // share of the requests, 0 to 1 each, at most 1 together

	mu   sync.Mutex
	seen map[uint64]uint64 // times that a body has come, by its digest
}

// ParseFaults reads a plan: "5%" spreads 5 % evenly over all faults but ignore-choice;
// "429=2%,reset=0.5%,ignore-choice=100%" names faults. Empty is no fault.
func ParseFaults(text string) (*Faults, error) {
	f := &Faults{Shares: map[Fault]float64{}}
	total := 0.0
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		name, share, named := strings.Cut(part, "=")
		faults := []Fault{Fault(name)}
		if !named {
			share, faults = part, drawnFaults[:even]
		}
		number, isShare := strings.CutSuffix(share, "%")
		percent, err := strconv.ParseFloat(number, 64)
		if err != nil || !isShare || !(percent >= 0 && percent <= 100) { // Both comparisons are false for NaN.
			return nil, fmt.Errorf("fault plan: %q is not a share such as 5%%", share)
		}
		if !slices.Contains(drawnFaults, faults[0]) {
			return nil, fmt.Errorf("fault plan: no fault %q; use one of %v", name, drawnFaults)
		}
		for _, fault := range faults {
			f.Shares[fault] += percent / 100 / float64(len(faults))
		}
		total += percent
	}
	if total > 100 {
		return nil, fmt.Errorf("fault plan: the shares add up to %g%%, more than all requests", total)
	}
	return f, nil
}

// pick returns the fault of the next request with a body.
func (f *Faults) pick(body []byte) Fault {
	if f == nil || len(f.Shares) == 0 {
		return FaultNone
	}
	digest := xxh3.Hash(body)
	f.mu.Lock()
	if f.seen == nil || len(f.seen) >= 1<<20 {
		f.seen = map[uint64]uint64{} // a rehearsal need not remember more
	}
	times := f.seen[digest]
	f.seen[digest]++
	f.mu.Unlock()
	// Lay the shares one after the other on the line from 0 to 1: the draw falls into one of them.
	left := draw(fmt.Sprint(digest), fmt.Sprint(times))
	for _, fault := range drawnFaults {
		left -= f.Shares[fault]
		if left < 0 {
			return fault
		}
	}
	return FaultNone
}
