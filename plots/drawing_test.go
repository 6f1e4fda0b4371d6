package plots

import (
	"bytes"
	"encoding/xml"
	"io"
	"math"
	"testing"

	"gonum.org/v1/plot/vg/draw"
)

func wellFormed(t *testing.T, b []byte) {
	t.Helper()
	dec := xml.NewDecoder(bytes.NewReader(b))
	for {
		_, err := dec.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("the SVG is not well-formed: %v", err)
		}
	}
}

func TestDrawingRefusals(t *testing.T) {
	ok := func() *Drawing { return page("Title", newPlot()) }
	for want, spoil := range map[string]func(*Drawing){
		"no title":                               func(d *Drawing) { d.Title = "" },
		"no body":                                func(d *Drawing) { d.Body = nil },
		"144 to 14400 can be drawn":              func(d *Drawing) { d.Page.Width = 100 },
		"measures 360 by 20":                     func(d *Drawing) { d.Height = 20000 },
		"published, measured or simulated":       func(d *Drawing) { d.Provenance = nil },
		`provenance "guessed" is not one of mea`: func(d *Drawing) { d.Provenance = []string{"guessed"} },
	} {
		d := ok()
		spoil(d)
		_, err := d.Encode("svg")
		refused(t, err, want)
	}
	_, err := ok().Encode("gif")
	refused(t, err, `format "gif" is not one of svg, pdf, png`)
}

// Overlapping text in a body is reported by Check.
func TestCheckFindsOverlap(t *testing.T) {
	d := page("Title", newPlot())
	d.Body = func(c draw.Canvas) {
		sty := textStyle(10, ink, false)
		middle(c, sty, c.Center(), "one")
		middle(c, sty, c.Center(), "two")
	}
	refused(t, d.Check(), `labels "one" and "two" overlap`)
}

// A line that leaves the page is reported by Check, wherever transforms put it.
func TestCheckFindsLinesOffThePage(t *testing.T) {
	d := page("Title", newPlot())
	d.Body = func(c draw.Canvas) {
		c.Push()
		c.Rotate(math.Pi / 2) // the line runs upwards
		c.StrokeLine2(lineStyle(ink, 1), 0, 0, 900, 0)
		c.Pop()
	}
	refused(t, d.Check(), "lines or areas leave the page")
}
