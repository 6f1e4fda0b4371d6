package plots

import (
	"image/color"
	"image/png"
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// pngCanvas writes its pixels as PNG.
type pngCanvas struct{ *vgimg.Canvas }

func newPNG(width, height vg.Length, scale float64) pngCanvas {
	return pngCanvas{vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(int(pngDPI*scale)),
		vgimg.UseBackgroundColor(color.Transparent))}
}

func (c pngCanvas) write(w io.Writer) error {
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	return encoder.Encode(w, c.Image())
}
