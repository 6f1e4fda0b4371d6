package plots

import (
	"bytes"
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

// WriteTo implements [io.WriterTo].
func (c pngCanvas) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&b, c.Image()); err != nil {
		return 0, err
	}
	return b.WriteTo(w)
}
