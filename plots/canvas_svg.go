package plots

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// svgCanvas is gonum's SVG canvas with text that keeps its width on machines without the house font: each text carries its length, and
// fonts of the same metrics come next in its family list. (Embedding the font would put 400 kB into every file.)
type svgCanvas struct {
	*vgsvg.Canvas
	lengths []vg.Length
}

var _ vg.CanvasWriterTo = (*svgCanvas)(nil)

func newSVG(w, h vg.Length) *svgCanvas {
	return &svgCanvas{Canvas: vgsvg.New(w, h)}
}

// FillString draws text and keeps its length for WriteTo.
func (c *svgCanvas) FillString(f font.Face, p vg.Point, s string) {
	if f.Font.Size == 0 || s == "" {
		return
	}
	c.lengths = append(c.lengths, f.Width(s))
	c.Canvas.FillString(f, p, s)
}

// WriteTo writes the document. Text is escaped, so an opening tag in it is always one that FillString made.
func (c *svgCanvas) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	if _, err := c.Canvas.WriteTo(&b); err != nil {
		return 0, err
	}
	t := house.Load()
	plain, named := `style="font-family:`+t.family+`;`, `style="font-family:'`+t.family+`',`+t.likeness+`;`
	parts := strings.Split(b.String(), "<text ")
	if len(parts) != len(c.lengths)+1 {
		return 0, fmt.Errorf("the SVG has %d texts where %d were drawn", len(parts)-1, len(c.lengths))
	}
	var out strings.Builder
	out.WriteString(parts[0])
	for i, l := range c.lengths {
		part := strings.Replace(parts[i+1], plain, named, 1)
		fmt.Fprintf(&out, `<text textLength="%.2f" lengthAdjust="spacingAndGlyphs" %s`, l.Points(), part)
	}
	n, err := io.WriteString(w, out.String())
	return int64(n), err
}
