package plots

import (
	"errors"
	"fmt"
	"image"
	"math"
	"strings"
	"testing"

	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// A label is a text of a drawing with the ink that it covers.
type label struct {
	text string
	size vg.Length // of the type
	vg.Rectangle
}

// labelCanvas is a canvas that draws nothing. It keeps the texts, and how far lines and areas
// reach. All is level or turned by 90 degrees.
type labelCanvas struct {
	recorder.Canvas // for calls that do not count
	w, h            vg.Length
	ink             vg.Rectangle // around all lines and areas
	now             affine
	stack           []affine
	labels          []label
}

// traced draws on a canvas that keeps where things are.
func traced(d *Drawing) *labelCanvas {
	c := &labelCanvas{now: affine{a: 1, d: 1}}
	c.w, c.h = d.Size()
	d.paint(c)
	return c
}

func (c *labelCanvas) Size() (x, y vg.Length)                  { return c.w, c.h }
func (c *labelCanvas) Fill(p vg.Path)                          { c.Stroke(p) }
func (c *labelCanvas) DrawImage(r vg.Rectangle, _ image.Image) { c.Stroke(r.Path()) }
func (c *labelCanvas) Push()                                   { c.stack = append(c.stack, c.now) }
func (c *labelCanvas) Pop() {
	c.now, c.stack = c.stack[len(c.stack)-1], c.stack[:len(c.stack)-1]
}
func (c *labelCanvas) Rotate(r float64)     { c.now = c.now.times(rotation(r)) }
func (c *labelCanvas) Translate(p vg.Point) { c.now = c.now.times(translation(p)) }

// Stroke widens the ink to hold a path; an arc counts as its whole circle.
func (c *labelCanvas) Stroke(p vg.Path) {
	for _, part := range p {
		if part.Type != vg.CloseComp {
			r := float64(part.Radius)
			c.ink = holding(c.ink.Min, c.ink.Max, c.now.at(float64(part.Pos.X)-r, float64(part.Pos.Y)-r),
				c.now.at(float64(part.Pos.X)+r, float64(part.Pos.Y)+r))
		}
	}
}

func (c *labelCanvas) FillString(f font.Face, p vg.Point, s string) {
	if s == "" || f.Font.Size == 0 {
		return
	}
	face := f.FontFace(72)
	defer face.Close() // an opentype face holds no resource that could fail to close
	b, _ := stdfont.BoundString(face, s)
	from := c.now.at(float64(p.X)+float64(b.Min.X)/64, float64(p.Y)-float64(b.Max.Y)/64)
	to := c.now.at(float64(p.X)+float64(b.Max.X)/64, float64(p.Y)-float64(b.Min.Y)/64)
	c.labels = append(c.labels, label{s, f.Font.Size, holding(from, to)})
}

// holding is the smallest rectangle that holds points.
func holding(points ...vg.Point) vg.Rectangle {
	r := vg.Rectangle{Min: points[0], Max: points[0]}
	for _, p := range points {
		r.Min = vg.Point{X: min(r.Min.X, p.X), Y: min(r.Min.Y, p.Y)}
		r.Max = vg.Point{X: max(r.Max.X, p.X), Y: max(r.Max.Y, p.Y)}
	}
	return r
}

// leaves reports whether a part of a page is outside of the page without its edge.
func (c *labelCanvas) leaves(r vg.Rectangle, edge vg.Length) bool {
	return r.Min.X < edge || r.Min.Y < edge || r.Max.X > c.w-edge || r.Max.Y > c.h-edge
}

// Check returns an error that lists labels that leave the page, come nearer to its edge than 2
// points, overlap another label, or are too small to be read in print, and says whether lines or
// areas leave the page.
func (d *Drawing) Check() error {
	const edge, slack, leastType = 2, 0.25, 6
	var faults []error
	c := traced(d)
	if c.leaves(c.ink, -0.01) {
		faults = append(faults, fmt.Errorf("lines or areas leave the page: %v of %v by %v", c.ink, c.w, c.h))
	}
	for i, l := range c.labels {
		if l.size < leastType {
			faults = append(faults, fmt.Errorf("label %q is set in %.1f points; %d are the least", l.text, l.size, leastType))
		}
		if c.leaves(l.Rectangle, edge) {
			faults = append(faults, fmt.Errorf("label %q leaves the page: %v of %v by %v", l.text, l.Rectangle, c.w, c.h))
		}
		for _, m := range c.labels[:i] {
			if min(l.Max.X, m.Max.X)-max(l.Min.X, m.Min.X) > slack && min(l.Max.Y, m.Max.Y)-max(l.Min.Y, m.Min.Y) > slack {
				faults = append(faults, fmt.Errorf("labels %q and %q overlap near %v", m.text, l.text, l.Min))
			}
		}
	}
	return errors.Join(faults...)
}

// Check finds each fault, level or turned. A text that is turned about (50, 20) runs upwards from
// there.
func TestCheck(t *testing.T) {
	sty := textStyle(10, ink, false)
	text := func(c draw.Canvas, x, y vg.Length) { c.FillText(sty, vg.Point{X: x, Y: y}, "label") }
	turned := sty
	turned.Rotation = 3.14159265 / 2
	small := textStyle(5, ink, false)
	width := sty.Width("label")
	for name, c := range map[string]struct {
		body  func(draw.Canvas)
		fault string
	}{
		"apart": {func(c draw.Canvas) { text(c, 10, 40); text(c, 10, 60); text(c, 10+width+1, 40) }, ""},
		"overlapping": {func(c draw.Canvas) { text(c, 10, 40); text(c, 20, 42) }, `labels "label" and "label" ` +
			`overlap`},
		"past the right edge": {func(c draw.Canvas) { text(c, 360-width+2, 40) }, `label "label" leaves the page`},
		"turned": {func(c draw.Canvas) {
			c.FillText(turned, vg.Point{X: 50, Y: 40}, "label")
			text(c, 51, 45)
		}, ""},
		"turned, overlapping": {func(c draw.Canvas) {
			c.FillText(turned, vg.Point{X: 50, Y: 40}, "label")
			text(c, 40, 45)
		}, "overlap"},
		"small": {func(c draw.Canvas) { c.FillText(small, vg.Point{X: 50, Y: 40}, "tiny") },
			`"tiny" is set in 5.0 points; 6 are the least`},
		"a line off the page": {func(c draw.Canvas) { c.StrokeLine2(lineStyle(ink, 1), 0, 0, 900, 0) },
			"lines or areas leave the page"},
	} {
		d := page("Title", newPlot())
		d.Body = c.body
		if err := d.Check(); (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: got %v, want %q", name, err, c.fault)
		}
	}
}

// affine maps (x, y) to (a x + c y + e, b x + d y + f).
type affine struct{ a, b, c, d, e, f float64 }

func (m affine) times(n affine) affine {
	return affine{
		m.a*n.a + m.c*n.b, m.b*n.a + m.d*n.b, m.a*n.c + m.c*n.d, m.b*n.c + m.d*n.d, m.a*n.e + m.c*n.f + m.e, m.b*n.e +
			m.d*n.f + m.f,
	}
}

func (m affine) at(x, y float64) vg.Point {
	return vg.Point{X: vg.Length(m.a*x + m.c*y + m.e), Y: vg.Length(m.b*x + m.d*y + m.f)}
}

func rotation(r float64) affine {
	sin, cos := math.Sincos(r)
	return affine{a: cos, b: sin, c: -sin, d: cos}
}

func translation(p vg.Point) affine {
	return affine{a: 1, d: 1, e: float64(p.X), f: float64(p.Y)}
}
