package plots

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data/must"
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

// The same rows give the same bytes, in every format, for every plotter and figure, and also when drawings render side by side.
func TestDeterminism(t *testing.T) {
	must.Slow(t)
	all := func() map[string]*Drawing {
		out := drawable(t, smallTables(t))
		for n, d := range gallery(t) {
			out["gallery_"+n] = d
		}
		return out
	}
	first := map[string][]byte{}
	for name, d := range all() {
		for _, format := range Formats {
			b, err := d.Encode(format)
			must.Succeed(t, err)
			first[name+"."+format] = b
		}
	}
	second := map[string][]byte{}
	var wg sync.WaitGroup
	var mu sync.Mutex
	for name, d := range all() {
		wg.Go(func() {
			for _, format := range Formats {
				b, err := d.Encode(format)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				second[name+"."+format] = b
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for name, b := range first {
		if !bytes.Equal(b, second[name]) {
			t.Errorf("%s differs between two renderings", name)
		}
		switch filepath.Ext(name) {
		case ".svg":
			wellFormed(t, b)
		case ".pdf":
			if !bytes.HasPrefix(b, []byte("%PDF-")) || !bytes.Contains(b, []byte("D:20000101000000")) {
				t.Errorf("%s is not a PDF with the fixed date", name)
			}
		case ".png":
			if _, err := png.Decode(bytes.NewReader(b)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// save renders the drawing to dir/name.format for all formats.
func (d *Drawing) save(dir, name string) error {
	for _, format := range Formats {
		b, err := d.Encode(format)
		if err != nil {
			return fmt.Errorf("figure %s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+"."+format), b, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// keep saves the drawing in the folder that PLOTS_OUT names, if it names one, to be looked at.
func (d *Drawing) keep(name string) error {
	if dir := os.Getenv("PLOTS_OUT"); dir != "" {
		return d.save(dir, name)
	}
	return nil
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

func BenchmarkRender(b *testing.B) {
	ts := smallTables(b)
	d, err := figureNamed(b, "radar_all").Draw(ts, Page{})
	must.Succeed(b, err)
	for _, format := range Formats {
		b.Run(format, func(b *testing.B) {
			for b.Loop() {
				if _, err := d.Encode(format); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
