package plots

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/captionlake/captionlake/data"
)

// Formats are the formats that a drawing renders to.
var Formats = []string{"svg", "pdf", "png"}

// maxSide is the longest side of a drawing in points: that of a PDF page.
const maxSide = vg.Length(14400)

// pngDPI is the resolution of PNG files.
const pngDPI = 200

// Key is an entry of a drawing's legend: a marker, a line, or both, with its name.
type Key struct {
	Name   string
	Look   Look
	Line   bool // draw a line through the key
	Square bool // draw a filled square, as for bars and areas, instead of the look's marker
}

// Drawing is one page: title, subtitle, keys, body, and at the foot the source and what the rows are made of.
type Drawing struct {
	Title, Subtitle string
	Source          string   // where the rows come from, such as a table of the paper and a mart
	Provenance      []string // published, measured, simulated: shown at the foot; a drawing without any is refused
	Derived         bool     // what is drawn was computed here from published figures and is printed nowhere
	Keys            []Key
	Width, Height   vg.Length
	Body            func(draw.Canvas) // draws inside the canvas that is left between keys and foot
}

// Encode renders the drawing. The bytes depend on the drawing alone: no dates, no random identifiers.
func (d *Drawing) Encode(format string) ([]byte, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	var c vg.CanvasWriterTo
	switch format {
	case "svg":
		c = newSVG(d.Width, d.Height)
	case "pdf":
		c = newPDF(d.Width, d.Height)
	case "png":
		c = pngCanvas{vgimg.NewWith(vgimg.UseWH(d.Width, d.Height), vgimg.UseDPI(pngDPI), vgimg.UseBackgroundColor(paper))}
	default:
		return nil, fmt.Errorf("format %q is not one of %s", format, strings.Join(Formats, ", "))
	}
	d.paint(c)
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("write %s: %w", format, err)
	}
	return b.Bytes(), nil
}

// pngCanvas writes its pixels as PNG, fast rather than small: the files are 3 % larger than at the default level, which takes half as
// long again.
type pngCanvas struct{ *vgimg.Canvas }

// WriteTo implements [io.WriterTo].
func (c pngCanvas) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, c.Image()); err != nil {
		return 0, err
	}
	return b.WriteTo(w)
}

// Save renders the drawing to dir/name.format for all formats and returns the paths. Files are replaced whole: written under a temporary
// name, then renamed.
func (d *Drawing) Save(dir, name string) ([]string, error) {
	var paths []string
	for _, format := range Formats {
		b, err := d.Encode(format)
		if err != nil {
			return paths, fmt.Errorf("figure %s: %w", name, err)
		}
		path := filepath.Join(dir, name+"."+format)
		if err := replace(path, b); err != nil {
			return paths, fmt.Errorf("figure %s: %w", name, err)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

func replace(path string, b []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(b)
	if err == nil {
		err = f.Chmod(0o644) // a temporary file is private; a figure is not
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Labels returns every text of the drawing with the ink box that it covers.
func (d *Drawing) Labels() ([]Label, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	c := newLabelCanvas(d.Width, d.Height)
	d.paint(c)
	return c.labels, nil
}

// Check returns an error that lists every label that is clipped by the page or overlaps another one.
func (d *Drawing) Check() error {
	labels, err := d.Labels()
	if err != nil {
		return err
	}
	return errors.Join(checkLabels(labels, d.Width, d.Height)...)
}

func (d *Drawing) check() error {
	switch {
	case d.Title == "":
		return errors.New("the drawing has no title")
	case d.Body == nil:
		return errors.New("the drawing has no body")
	case !(d.Width >= 100 && d.Height >= 100 && d.Width <= maxSide && d.Height <= maxSide):
		return fmt.Errorf("the drawing measures %.0f by %.0f points; 100 to %.0f can be drawn", d.Width, d.Height, maxSide)
	case len(d.Provenance) == 0:
		return errors.New("the drawing does not say whether its rows are published, measured or simulated")
	}
	for _, p := range d.Provenance {
		if !slices.Contains(provenances, p) {
			return fmt.Errorf("provenance %q is not one of %s", p, strings.Join(provenances, ", "))
		}
	}
	return nil
}

func (d *Drawing) paint(sized vg.CanvasSizer) {
	c := draw.New(sized)
	if _, filled := sized.(pngCanvas); !filled {
		c.SetColor(paper)
		c.Fill(c.Rectangle.Path())
	}
	width := d.Width - 2*margin
	y := d.Height - margin
	y -= write(c, textStyle(titleSize, ink, true), wrap(textStyle(titleSize, ink, true), d.Title, width, 2), vg.Point{X: margin, Y: y}, 0)
	if d.Subtitle != "" {
		sty := textStyle(subtitleSize, softInk, false)
		y -= 2 + write(c, sty, wrap(sty, d.Subtitle, width, 5), vg.Point{X: margin, Y: y - 2}, 0)
	}
	y -= drawKeys(c, d.Keys, vg.Rectangle{Min: vg.Point{X: margin}, Max: vg.Point{X: d.Width - margin, Y: y - 3}})
	foot := d.foot(c)
	d.Body(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
		Min: vg.Point{X: margin, Y: foot + 6}, Max: vg.Point{X: d.Width - margin, Y: y - 8},
	}})
}

// publishedTone is the colour of the stamp of published figures.
var publishedTone = color.NRGBA{0x44, 0x55, 0x66, 0xff}

// foot draws the provenance stamps and the source line at the bottom of the page and returns the height of their top.
func (d *Drawing) foot(c draw.Canvas) vg.Length {
	x, base := margin, margin-4
	const pad, height = 4, 12
	for _, p := range provenances {
		if !slices.Contains(d.Provenance, p) {
			continue
		}
		name, tone := p, color.NRGBA{0x00, 0x6e, 0x50, 0xff}
		switch {
		case p == data.ProvenanceSimulated:
			name, tone = "SIMULATED – NOT MEASURED", alarm
		case p == data.ProvenancePublished && d.Derived:
			name, tone = "computed from published figures", publishedTone
		case p == data.ProvenancePublished:
			name, tone = "published figures", publishedTone
		}
		sty := textStyle(smallSize, tone, true)
		if p == data.ProvenanceSimulated {
			sty.Color = paper
		}
		w := sty.Width(name) + 2*pad
		box := vg.Rectangle{Min: vg.Point{X: x, Y: base}, Max: vg.Point{X: x + w, Y: base + height}}
		if p == data.ProvenanceSimulated {
			c.SetColor(tone)
			c.Fill(box.Path())
		}
		c.SetLineStyle(lineStyle(tone, 0.8))
		c.Stroke(box.Path())
		middle(c, sty, vg.Point{X: x + pad, Y: base + height/2}, name)
		x += w + 6
	}
	top := base + height
	if d.Source != "" {
		sty := textStyle(smallSize, softInk, false)
		lines := wrap(sty, "Source: "+d.Source, d.Width-margin-x, 3)
		h := vg.Length(len(lines)) * leading(sty)
		start := max(base+height, base+h)
		write(c, sty, lines, vg.Point{X: x, Y: start - 1.5}, 0)
		top = start
	}
	return top
}

// keyRow is the height of a row of the legend.
const keyRow = vg.Length(11)

// keyGrid is the legend in columns: names cut to fit, the width of a cell and the number of rows. Keys run down the columns, so that the
// order of a ranking reads as in a list.
type keyGrid struct {
	names []string
	cell  vg.Length
	rows  int
}

// The swatch of a key, and the gap between it and the name.
const keySwatch, keyGap = vg.Length(18), vg.Length(4)

func layKeys(keys []Key, width vg.Length) keyGrid {
	sty := textStyle(smallSize, ink, false)
	widest := vg.Length(0)
	g := keyGrid{names: make([]string, len(keys))}
	for i, k := range keys {
		g.names[i] = fit(sty, k.Name, 180)
		widest = max(widest, sty.Width(g.names[i]))
	}
	g.cell = widest + keySwatch + keyGap + 10
	columns := max(1, min(len(keys), int((width+10)/g.cell)))
	g.rows = (len(keys) + columns - 1) / columns
	return g
}

// keysHeight is the height that a legend takes on a page of the full width.
func keysHeight(keys []Key) vg.Length {
	return vg.Length(layKeys(keys, fullWidth-2*margin).rows) * keyRow
}

// drawKeys draws the legend in rows from the rectangle's upper left corner and returns its height.
func drawKeys(c draw.Canvas, keys []Key, r vg.Rectangle) vg.Length {
	g := layKeys(keys, r.Max.X-r.Min.X)
	for i, k := range keys {
		x, y := r.Min.X+vg.Length(i/g.rows)*g.cell, r.Max.Y-keyRow*(vg.Length(i%g.rows)+0.5)
		mid := vg.Point{X: x + keySwatch/2, Y: y}
		if k.Line {
			c.StrokeLine2(k.Look.line(1.2), x, y, x+keySwatch, y)
		}
		if k.Square {
			c.FillPolygon(k.Look.Color, rect(mid.X-4, mid.Y-3.5, mid.X+4, mid.Y+3.5))
		} else if k.Look.Shape != nil {
			c.DrawGlyphNoClip(k.Look.glyph(2.4), mid)
		}
		middle(c, textStyle(smallSize, ink, false), vg.Point{X: x + keySwatch + keyGap, Y: y}, g.names[i])
	}
	return vg.Length(g.rows) * keyRow
}

func rect(x0, y0, x1, y1 vg.Length) []vg.Point {
	return []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}
