package web

import (
	"fmt"
	"slices"
)

// QuickSeconds is the time below which a decision is set aside (CapArena appendix E: submissions made in under five seconds
// were disregarded). It is stored with its seconds all the same.
const QuickSeconds = 5

const (
	paceWindow = 20 // decisions that are looked at
	paceMost   = 18 // of them, so many on one side of the average are told
)

// Pace says that somebody is faster or slower than the average, given the seconds of their decisions in order; it is empty otherwise. CapArena (appendix E)
// raises an alert when an annotator's time consistently falls below the average. Consistently is here: 18 of the last 20, of those that
// are not set aside. The average is the median of everybody's times, because one lunch moves a mean; 2 in 10,000 runs of 20 independent
// times have 18 below it. The mart arena_annotators counts by the same rule.
func Pace(seconds []float64, average float64) string {
	if len(seconds) < paceWindow {
		return ""
	}
	below, above := 0, 0
	for _, s := range seconds[len(seconds)-paceWindow:] {
		switch {
		case s < average:
			below++
		case s > average:
			above++
		}
	}
	switch {
	case below >= paceMost:
		return fmt.Sprintf("%d of the last %d took less than %.0f seconds, the average", below, paceWindow, average)
	case above >= paceMost:
		return fmt.Sprintf("%d of the last %d took more than %.0f seconds, the average", above, paceWindow, average)
	}
	return ""
}

// medianOf is the median of values in any order, 0 of none.
func medianOf(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return 0
	}
	t := slices.Sorted(slices.Values(values))
	return (t[(n-1)/2] + t[n/2]) / 2
}

// A Count is how many things there are of a kind.
type Count struct {
	N    int
	What string
}

// Counted is a line for each kind of which there are some.
func Counted(counts []Count) (lines []string) {
	for _, c := range counts {
		if c.N > 0 {
			lines = append(lines, fmt.Sprintf("%d %s", c.N, c.What))
		}
	}
	return lines
}
