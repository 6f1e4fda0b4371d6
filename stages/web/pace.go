package web

import (
	"fmt"
	"slices"
)

// QuickSeconds is the time below which a decision is set aside (CapArena appendix E disregards
// submissions made in under five seconds). Such a decision is still stored with its seconds.
const QuickSeconds = 5

const (
	paceWindow = 20 // number of latest decisions that Pace compares with the average
	paceMost   = 18 // so many of these decisions on one side of the average give a message
)

// Pace gives a message if a person is consistently faster or slower than the average; empty
// otherwise. seconds says how long each of the person's decisions took, from the first to the last.
// CapArena (appendix E) raises an alert if an annotator's time consistently falls below the
// average. Here, consistently means 18 of the last 20 decisions that are not set aside. The average
// is the median of everybody's times, because one break moves a mean. Of 10,000 series of 20
// independent times, 2 have at least 18 times below the median. The mart arena_annotators uses the
// same rule.
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
	most, comparison := below, "less"
	if above > below {
		most, comparison = above, "more"
	}
	if most < paceMost {
		return ""
	}
	return fmt.Sprintf("%d of the last %d took %s than %.0f seconds, the average", most, paceWindow, comparison, average)
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
