package plots

import (
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// A typeface is measured and named in SVG, and drawings are in the house type again afterwards.
func TestTypeface(t *testing.T) {
	labels := func() (svg string, width float64) {
		d := page("Wider type", newPlot())
		b, err := d.Encode("svg")
		must.Succeed(t, err)
		return string(b), float64(headStyle().Width("Wider type"))
	}
	before, sans := labels()
	restore := UseTypeface("serif")
	svg, serif := labels()
	restore()
	if !strings.Contains(svg, "'Liberation Serif',Tinos") {
		t.Error("the SVG is not in the serif face")
	}
	if serif == sans {
		t.Error("text is not measured in the font that it is set in")
	}
	if after, _ := labels(); after != before {
		t.Error("the house type is not in use again")
	}
}
