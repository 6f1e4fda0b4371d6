package plots

import (
	"math"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

func TestNiceStep(t *testing.T) {
	for _, c := range []struct {
		span float64
		n    int
		want float64
	}{{100, 10, 10}, {100, 7, 20}, {7, 7, 1}, {0.3, 4, 0.1}, {0, 5, 1}, {90, 3, 50}} {
		if got := niceStep(c.span, c.n); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("niceStep(%v, %d) = %v, want %v", c.span, c.n, got, c.want)
		}
	}
}

// A subcategory whose name two categories share is two axes, each with its category.
func TestRadarTellsNamesakesApart(t *testing.T) {
	tb := table(t, "captionqa_subcategories", []string{"domain", "category", "subcategory", "captioner_name", "captioner", "score", "provenance"})
	for _, r := range [][2]string{{"Tables", "Layout"}, {"Charts", "Layout"}, {"Charts", "Axes"}} {
		must.Succeed(t, tb.Append("Document", r[0], r[1], "M", "m", 70.0, "measured"))
	}
	old := table(t, "captionqa_categories", []string{"domain", "category", "captioner_name", "captioner", "score", "provenance"}, []any{"Document", "Old", "M", "m", 50.0, "measured"})
	labels := textsOf(t, "radar_document", Tables{"captionqa_subcategories": tb, "captionqa_categories": old})
	for _, want := range []string{"Layout (Tables)", "Layout (Charts)", "Axes"} {
		if !slices.Contains(labels, want) {
			t.Errorf("%q is not among the axes: %q", want, labels)
		}
	}
}
