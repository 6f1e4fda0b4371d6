package plots

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// TestPNG reads a canvas again: a square in half its opacity, the clear ground around it, and a
// picture.
func TestPNG(t *testing.T) {
	c := newPNG(30, 20, 72)
	c.SetColor(color.NRGBA{200, 100, 50, 128})
	c.Fill(vg.Rectangle{Min: point(5, 5), Max: point(15, 15)}.Path())
	picture := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	picture.SetNRGBA(0, 0, color.NRGBA{10, 20, 30, 255})
	c.DrawImage(vg.Rectangle{Min: point(20, 5), Max: point(30, 15)}, picture)
	want := image.NewNRGBA(c.Image().Bounds())
	draw.Draw(want, want.Bounds(), c.Image(), image.Point{}, draw.Src)
	var file bytes.Buffer
	must.Succeed(t, c.write(&file))
	got := must.Get(png.Decode(&file))(t)
	for at, is := range map[image.Point]color.NRGBA{{1, 1}: {}, {10, 10}: {199, 99, 49, 128},
		{25, 10}: {10, 20, 30, 255}} {
		expect.Equal(t, got.At(at.X, at.Y).(color.NRGBA), is)
	}
	expect.Equal(t, got.(*image.NRGBA).Pix, want.Pix)
}
