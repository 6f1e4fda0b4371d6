package plots

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"

	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Labels returns every text of the drawing with the ink box that it covers.
func (d *Drawing) Labels() ([]Label, error) {
	c, err := d.trace()
	if err != nil {
		return nil, err
	}
	return c.labels, nil
}

// Check returns an error that lists every label that is clipped by the page or overlaps another one, and says whether lines or areas
// leave the page.
func (d *Drawing) Check() error {
	c, err := d.trace()
	if err != nil {
		return err
	}
	return errors.Join(append(checkLabels(c.labels, c.w, c.h), c.checkInk())...)
}

// trace draws on a canvas that keeps where things are.
func (d *Drawing) trace() (*labelCanvas, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	c := newLabelCanvas(d.Size())
	d.paint(c)
	return c, nil
}

// Label is a piece of text of a drawing with the four corners of the ink it covers, in points from the page's lower left corner.
type Label struct {
	Text    string
	Size    vg.Length // of the type, in points
	Corners [4]vg.Point
}

// labelCanvas is a canvas that draws nothing and keeps the text it is given, and how far lines and areas reach, wherever transforms put
// them.
type labelCanvas struct {
	w, h   vg.Length
	ink    vg.Rectangle // around all lines and areas
	now    affine
	stack  []affine
	labels []Label
}

func newLabelCanvas(w, h vg.Length) *labelCanvas {
	return &labelCanvas{w: w, h: h, now: affine{a: 1, d: 1}}
}

var _ vg.CanvasSizer = (*labelCanvas)(nil)

func (c *labelCanvas) Size() (x, y vg.Length)             { return c.w, c.h }
func (c *labelCanvas) SetLineWidth(vg.Length)             {}
func (c *labelCanvas) SetLineDash([]vg.Length, vg.Length) {}
func (c *labelCanvas) SetColor(color.Color)               {}
func (c *labelCanvas) Stroke(p vg.Path)                   { c.reach(p) }
func (c *labelCanvas) Fill(p vg.Path)                     { c.reach(p) }
func (c *labelCanvas) DrawImage(r vg.Rectangle, _ image.Image) {
	c.reach(r.Path())
}

// reach widens the ink to hold a path; an arc counts as its whole circle.
func (c *labelCanvas) reach(p vg.Path) {
	for _, part := range p {
		if part.Type == vg.CloseComp {
			continue
		}
		for _, corner := range [2]vg.Length{-part.Radius, part.Radius} {
			at := c.now.at(float64(part.Pos.X+corner), float64(part.Pos.Y+corner))
			c.ink.Min = vg.Point{X: min(c.ink.Min.X, at.X), Y: min(c.ink.Min.Y, at.Y)}
			c.ink.Max = vg.Point{X: max(c.ink.Max.X, at.X), Y: max(c.ink.Max.Y, at.Y)}
		}
	}
}
func (c *labelCanvas) Push() { c.stack = append(c.stack, c.now) }
func (c *labelCanvas) Pop() {
	c.now, c.stack = c.stack[len(c.stack)-1], c.stack[:len(c.stack)-1]
}
func (c *labelCanvas) Rotate(r float64) {
	c.now = c.now.times(rotation(r))
}
func (c *labelCanvas) Translate(p vg.Point) {
	c.now = c.now.times(translation(p))
}
func (c *labelCanvas) Scale(x, y float64) { c.now = c.now.times(affine{a: x, d: y}) }

func (c *labelCanvas) FillString(f font.Face, p vg.Point, s string) {
	if s == "" || f.Font.Size == 0 {
		return
	}
	face := f.FontFace(72)
	defer face.Close() // an opentype face holds no resource that could fail to close
	b, _ := stdfont.BoundString(face, s)
	x0, x1 := float64(p.X)+float64(b.Min.X)/64, float64(p.X)+float64(b.Max.X)/64
	y0, y1 := float64(p.Y)-float64(b.Max.Y)/64, float64(p.Y)-float64(b.Min.Y)/64
	c.labels = append(c.labels, Label{s, f.Font.Size, [4]vg.Point{c.now.at(x0, y0), c.now.at(x1, y0), c.now.at(x1, y1), c.now.at(x0, y1)}})
}

// touches reports whether two labels share more than slack points of ink box, by the separating axis theorem on the two oriented boxes.
func (l Label) touches(m Label, slack float64) bool {
	for _, q := range [2]Label{l, m} {
		for i := range 2 {
			dx, dy := float64(q.Corners[i+1].X-q.Corners[i].X), float64(q.Corners[i+1].Y-q.Corners[i].Y)
			n := math.Hypot(dx, dy)
			if n == 0 {
				continue
			}
			dx, dy = dx/n, dy/n
			lo1, hi1 := l.shadow(dx, dy)
			lo2, hi2 := m.shadow(dx, dy)
			if hi1-lo2 <= slack || hi2-lo1 <= slack {
				return false
			}
		}
	}
	return true
}

func (l Label) shadow(dx, dy float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, p := range l.Corners {
		v := float64(p.X)*dx + float64(p.Y)*dy
		lo, hi = min(lo, v), max(hi, v)
	}
	return lo, hi
}

// leastType is the smallest type that is read in print, in points.
const leastType = vg.Length(6)

// checkInk reports lines and areas that leave the page.
func (c *labelCanvas) checkInk() error {
	const slack = 0.01
	if c.ink.Min.X < -slack || c.ink.Min.Y < -slack || c.ink.Max.X > c.w+slack || c.ink.Max.Y > c.h+slack {
		return fmt.Errorf("lines or areas leave the page: x %.1f to %.1f of %.0f, y %.1f to %.1f of %.0f", c.ink.Min.X, c.ink.Max.X, c.w, c.ink.Min.Y, c.ink.Max.Y, c.h)
	}
	return nil
}

// checkLabels lists labels that leave the page, come nearer to its edge than 2 points, overlap another label, or are too small to be read.
func checkLabels(labels []Label, w, h vg.Length) []error {
	const edge, slack = 2, 0.25
	var faults []error
	boxes := make([][4]float64, len(labels)) // around the labels
	for i, l := range labels {
		if l.Size < leastType {
			faults = append(faults, fmt.Errorf("label %q is set in %.1f points; %.0f are the least", l.Text, l.Size, leastType))
		}
		x0, x1 := l.shadow(1, 0)
		y0, y1 := l.shadow(0, 1)
		if x0 < edge || y0 < edge || x1 > float64(w)-edge || y1 > float64(h)-edge {
			faults = append(faults, fmt.Errorf("label %q leaves the page: x %.1f to %.1f of %.0f, y %.1f to %.1f of %.0f", l.Text, x0, x1, w, y0, y1, h))
		}
		boxes[i] = [4]float64{x0, x1, y0, y1}
		for k, m := range labels[:i] {
			if b := boxes[k]; b[0] > x1 || b[1] < x0 || b[2] > y1 || b[3] < y0 {
				continue // far apart, as most are
			}
			if l.touches(m, slack) {
				faults = append(faults, fmt.Errorf("labels %q and %q overlap near (%.0f, %.0f)", m.Text, l.Text, x0, y0))
			}
		}
	}
	return faults
}
