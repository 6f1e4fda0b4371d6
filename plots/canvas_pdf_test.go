package plots

import (
	"image"
	"image/color"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data/must"
)

// Pictures of one width are written in one order, however often the page is drawn.
func TestPicturesInPDFHaveOneOrder(t *testing.T) {
	d := &Drawing{Title: "Pictures", Page: Page{Width: 300, Kinds: []string{"measured"}}, Height: 210,
		Body: func(c draw.Canvas) {
			for i := range 9 {
				img := image.NewNRGBA(image.Rect(0, 0, 8, 8))
				for k := range 64 {
					img.Set(k%8, k/8, color.NRGBA{uint8(20 * i), uint8(k), 0x80, 0xff})
				}
				x, y := c.Min.X+vg.Length(i%3)*60, c.Min.Y+vg.Length(i/3)*60
				c.DrawImage(vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + 50, Y: y + 50}}, img)
			}
		}}
	first := must.Get(d.Encode("pdf"))(t)
	for range 4 {
		again := must.Get(d.Encode("pdf"))(t)
		must.Equal(t, first, again, "two drawings of the same page differ")
	}
}
