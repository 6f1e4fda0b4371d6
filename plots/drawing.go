package plots

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/captionlake/captionlake/data"
)

// Formats are the formats that a drawing renders to.
var Formats = []string{"svg", "pdf", "png"}

// maxSide is the longest side of a drawing in points: the longest side of a PDF page.
const maxSide = vg.Length(14400)

// minSide is the narrowest page: two inches.
const minSide = vg.Length(144)

// pngDPI is the resolution of PNG files.
const pngDPI = 200

// Key is an entry of a drawing's legend: a marker, a line, or both, with its name.
type Key struct {
	Name  string
	Color color.NRGBA
	// Form is the form of the layer. In the legend, the forms in filled have a square, lines have a
	// line with a point, and other forms have a point.
	Form string
}

// Drawing is one page: title, subtitle, legend and body, and at the foot the kinds of the rows and
// their source.
type Drawing struct {
	Title, Subtitle string
	Source          string // the text below the figure: where the rows come from, and how many captioners they have
	Derived         bool   // the values were computed here from published figures and are printed nowhere
	Keys            []Key
	Page            Page              // holds the kinds of the rows, too
	Height          vg.Length         // of the body, without head, legend and foot
	Body            func(draw.Canvas) // draws in the canvas between legend and foot
}

// Encode renders the drawing. The bytes depend on the drawing alone: no dates, no random
// identifiers.
func (d *Drawing) Encode(format string) ([]byte, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	width, height := d.Size()
	var c interface {
		vg.CanvasSizer
		write(w io.Writer) error
	}
	scale := vg.Length(cmp.Or(d.Page.Scale, 1))
	title, about := d.Caption()
	switch format {
	case "svg":
		c = &svgCanvas{vgsvg.New(width, height), title, about, width * scale, height * scale}
	case "pdf":
		c = newPDF(width, height, float64(scale), title)
	case "png":
		c = newPNG(width, height, math.Trunc(pngDPI*float64(scale))) // gonum takes a whole number of dots.
	default:
		return nil, fmt.Errorf("format %q is not one of %s", format, strings.Join(Formats, ", "))
	}
	d.paint(c)
	var b bytes.Buffer
	if err := c.write(&b); err != nil {
		return nil, fmt.Errorf("write %s: %w", format, err)
	}
	return b.Bytes(), nil
}

// check refuses a drawing without the kinds of its rows, and a page that is too small or too large.
func (d *Drawing) check() error {
	if len(d.Page.Kinds) == 0 {
		return errors.New("the drawing does not say whether its rows are published, measured or simulated")
	}
	for _, kind := range d.Page.Kinds {
		if !slices.Contains(data.Provenances(), kind) {
			return fmt.Errorf("provenance %q is not one of %s", kind, strings.Join(data.Provenances(), ", "))
		}
	}
	width, height := d.Size()
	if fits := width >= minSide && d.Height > 0 && width <= maxSide && height <= maxSide; !fits {
		return fmt.Errorf("the drawing measures %.0f by %.0f points; %.0f to %.0f can be drawn", width, height,
			minSide, maxSide)
	}
	return nil
}

// Styles of the words around a body.
func titleStyle() text.Style    { return textStyle(titleSize, ink, true) }
func subtitleStyle() text.Style { return textStyle(subtitleSize, softInk, false) }
func sourceStyle() text.Style   { return textStyle(smallSize, softInk, false) }

// The greatest numbers of lines of a subtitle and of a source. Longer texts are cut.
const mostSubtitle, mostSource = 12, 6

// frame holds everything around the body of a drawing, laid out for its page.
type frame struct {
	title, subtitle, source []string
	stamps                  []stamp
	keys                    keyGrid
	sourceLeft              vg.Length // the left end of the source: 0, or behind the stamps
	head, foot              vg.Length // heights above and below the body, margins included
}

// Heights at the foot of a page.
const stampHeight, stampGap = vg.Length(12), vg.Length(6)

// frame lays out everything around the body. The source is beside the stamps if the stamps take at
// most half of the width, and above the stamps otherwise.
func (d *Drawing) frame() frame {
	width := d.Page.inner()
	f := frame{keys: layKeys(d.Keys, width), stamps: d.stamps(), head: d.Page.margin()}
	if !d.Page.Bare {
		f.title = wrap(titleStyle(), d.Title, width, 5)
		f.head += vg.Length(len(f.title)) * leading(titleStyle())
		if clean(d.Subtitle) != "" {
			f.subtitle = wrap(subtitleStyle(), d.Subtitle, width, mostSubtitle)
			f.head += 2 + vg.Length(len(f.subtitle))*leading(subtitleStyle())
		}
		f.head += 8
	}
	if f.keys.rows > 0 {
		f.head += vg.Length(f.keys.rows)*keyRow + 6
	}
	if len(f.stamps) > 0 {
		f.foot = stampHeight
	}
	if d.Source != "" && !d.Page.Bare {
		for _, s := range f.stamps {
			f.sourceLeft += s.width + stampGap
		}
		above := f.sourceLeft > width/2
		if above {
			f.sourceLeft = 0
		}
		f.source = wrap(sourceStyle(), d.Source, width-f.sourceLeft, mostSource)
		height := vg.Length(len(f.source)) * leading(sourceStyle())
		if above {
			f.foot += height + 5
		} else {
			f.foot = max(f.foot, height)
		}
	}
	if f.foot > 0 {
		f.foot += stampGap
	}
	f.foot += d.Page.low()
	return f
}

// Size is the width and height of the page.
func (d *Drawing) Size() (width, height vg.Length) {
	f := d.frame()
	return d.Page.width(), f.head + d.Height + f.foot
}

// Caption returns the words that a bare page leaves to the caption of a paper: the title, and a
// text of subtitle, source and kinds of the rows.
func (d *Drawing) Caption() (title, text string) {
	parts := []string{d.Subtitle}
	if d.Subtitle != "" && !strings.HasSuffix(d.Subtitle, ".") {
		parts[0] += "."
	}
	if d.Source != "" {
		parts = append(parts, d.Source)
	}
	for _, s := range d.stampWords() {
		parts = append(parts, "Rows: "+s.name+".")
	}
	return clean(d.Title), strings.TrimSpace(strings.Join(parts, " "))
}

// tooHigh is by how much the drawing is higher than its page.
func (d *Drawing) tooHigh() vg.Length {
	_, height := d.Size()
	return height - d.Page.height()
}

// paint draws the page on a canvas of its size, in the colours of its look.
func (d *Drawing) paint(sized vg.CanvasSizer) {
	c := draw.New(inkCanvas{sized, d.Page.Look})
	if !slices.Contains(d.Page.Look, "transparent") {
		c.SetColor(paper)
		if png, is := sized.(pngCanvas); is {
			png.pen.Clear() // fills the page with paper, in a tenth of the time that Fill takes
		} else {
			c.Fill(c.Rectangle.Path())
		}
	}
	f := d.frame()
	width, height := sized.Size()
	left := d.Page.margin() // also the margin at the top
	y := height - left
	y -= write(c, titleStyle(), f.title, point(left, y), 0)
	if len(f.subtitle) > 0 {
		y -= 2 + write(c, subtitleStyle(), f.subtitle, point(left, y-2), 0)
	}
	f.keys.draw(c, d.Keys, point(left, y-3))
	d.paintFoot(c, f)
	d.Body(area(c, left, f.foot, width-d.Page.right(), height-f.head))
}

// A stamp names the kind of the rows.
type stamp struct {
	name   string
	tone   color.NRGBA
	filled bool
	width  vg.Length
}

// kindStamps are the stamps of the kinds of rows, without their widths.
var kindStamps = map[string]stamp{
	data.ProvenanceMeasured:  {name: "measured", tone: color.NRGBA{0x00, 0x6e, 0x50, 0xff}},
	data.ProvenancePublished: {name: "published figures", tone: color.NRGBA{0x44, 0x55, 0x66, 0xff}},
	data.ProvenanceSimulated: {name: "SIMULATED – NOT MEASURED", tone: alarm, filled: true},
}

// stampPad is the room on the sides of a stamp's words.
const stampPad = vg.Length(4)

// stampWords are the stamps of all kinds of the drawing's rows.
func (d *Drawing) stampWords() (out []stamp) {
	for _, kind := range data.Provenances() {
		s := kindStamps[kind]
		if kind == data.ProvenancePublished && d.Derived {
			s.name = "computed from published figures"
		}
		s.width = textStyle(smallSize, ink, true).Width(s.name) + 2*stampPad
		if slices.Contains(d.Page.Kinds, kind) {
			out = append(out, s)
		}
	}
	return out
}

// stamps returns the stamps on the page. A bare page has only the stamp of simulated rows, which no
// page leaves out.
func (d *Drawing) stamps() []stamp {
	return slices.DeleteFunc(d.stampWords(), func(s stamp) bool { return d.Page.Bare && !s.filled })
}

// paintFoot draws the provenance stamps and the source line at the bottom of the page.
func (d *Drawing) paintFoot(c draw.Canvas, f frame) {
	x, base := d.Page.margin(), d.Page.low()
	for _, s := range f.stamps {
		sty := textStyle(smallSize, s.tone, true)
		box := area(c, x, base, x+s.width, base+stampHeight)
		if s.filled {
			sty.Color = paper
			c.SetColor(s.tone)
			c.Fill(box.Path())
		}
		c.SetLineStyle(lineStyle(s.tone, 0.8))
		c.Stroke(box.Path())
		middle(c, sty, point(x+stampPad, base+stampHeight/2), s.name)
		x += s.width + stampGap
	}
	write(c, sourceStyle(), f.source, point(d.Page.margin()+f.sourceLeft, f.foot-stampGap-1.5), 0)
}

// keyRow is the height of a row of the legend.
const keyRow = vg.Length(11)

// keyGrid is the legend in columns. Keys run down the columns, so that the order of a ranking reads
// as in a list.
type keyGrid struct {
	names []string  // cut to fit
	cell  vg.Length // width of a column
	rows  int
}

// Widths of the swatch of a key, and of the gap between swatch and name.
const keySwatch, keyGap = vg.Length(18), vg.Length(4)

// layKeys lays the legend out in as many columns as a width has room for.
func layKeys(keys []Key, width vg.Length) keyGrid {
	sty := textStyle(smallSize, ink, false)
	g := keyGrid{names: make([]string, len(keys))}
	for i, k := range keys {
		g.names[i] = wrap(sty, k.Name, width-keySwatch-keyGap, 1)[0]
	}
	g.cell = widest(sty, g.names) + keySwatch + keyGap + 10
	columns := max(1, min(len(keys), int((width+10)/g.cell)))
	g.rows = (len(keys) + columns - 1) / columns
	return g
}

// draw draws the legend below and right of a point.
func (g keyGrid) draw(c draw.Canvas, keys []Key, corner vg.Point) {
	for i, k := range keys {
		x, y := corner.X+vg.Length(i/g.rows)*g.cell, corner.Y-keyRow*(vg.Length(i%g.rows)+0.5)
		mid := point(x+keySwatch/2, y)
		if k.Form == "line" || k.Form == "path" {
			c.StrokeLine2(lineStyle(k.Color, 1.2), x, y, x+keySwatch, y)
		}
		if slices.Contains(filled, k.Form) {
			box := rect(mid.X-4, mid.Y-3.5, mid.X+4, mid.Y+3.5)
			c.FillPolygon(k.Color, box)
			c.StrokeLines(lineStyle(softInk, 0.3), append(box, box[0])) // so that light colours are seen on paper
		} else {
			dot(c, k.Color, 2.4, mid)
		}
		middle(c, textStyle(smallSize, ink, false), point(x+keySwatch+keyGap, y), g.names[i])
	}
}

// rect are the corners of a rectangle.
func rect(x0, y0, x1, y1 vg.Length) []vg.Point {
	return []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}
