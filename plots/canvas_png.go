package plots

import (
	"image/png"
	"io"

	"gonum.org/v1/plot/vg/vgimg"
)

// pngCanvas writes its pixels as PNG.
type pngCanvas struct{ *vgimg.Canvas }

func (c pngCanvas) write(w io.Writer) error {
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	return encoder.Encode(w, c.Image())
}
