package web

import (
	"fmt"
	"slices"
)

// QuickSeconds is the time below which a decision is set aside (CapArena appendix E disregards
// submissions made in under five seconds). It is still stored with its seconds.
const QuickSeconds = 5

const (
	paceWindow = 20 // latest decisions that are compared
	paceMost   = 18 // decisions on one side of the average from which on it is reported
)

// Pace says that a person is faster or slower than the average, given the seconds of their
// decisions in order; otherwise it is empty. CapArena (appendix E) raises an alert if an
// annotator's time consistently falls below the average. Here, consistently means 18 of the last 20
// decisions that are not set aside. The average is the median of everybody's times, because one
// lunch moves a mean. 2 in 10,000 runs of 20 independent times have 18 below it. The mart
// arena_annotators uses the same rule.
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

// medianOf is the median of values in any order; 0 without values.
func medianOf(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return 0
	}
	t := slices.Sorted(slices.Values(values))
	return (t[(n-1)/2] + t[n/2]) / 2
}
