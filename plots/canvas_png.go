package plots

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"io"
	"math"
	"slices"

	"git.sr.ht/~sbinet/gg"
	"github.com/klauspost/compress/zlib"
	"golang.org/x/image/draw"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// pngCanvas is gonum's canvas of pixels with a faster writer of PNG. image/png looks for the best
// filter of each row of pixels; that takes five times as long, and files of drawings get larger.
type pngCanvas struct {
	*vgimg.Canvas
	pen *gg.Context
}

// newPNG makes a canvas without a background.
func newPNG(width, height vg.Length, dpi float64) pngCanvas {
	pen := gg.NewContext(int(math.Round(width.Dots(dpi))), int(math.Round(height.Dots(dpi))))
	pen.SetInterpolator(draw.NearestNeighbor)
	// NewWith sets these two only for a pen that it makes itself.
	pen.SetLineCapButt()
	pen.InvertY()
	img := pen.Image().(*image.RGBA)
	c := pngCanvas{vgimg.NewWith(vgimg.UseDPI(int(dpi)), vgimg.UseImageWithContext(img, pen)), pen}
	clear(img.Pix) // NewWith has painted the pixels white.
	return c
}

// DrawImage draws an image with smooth scaling. The canvas scales letters, too, and for letters the
// nearest pixel is enough and takes a fifth of the time.
func (c pngCanvas) DrawImage(r vg.Rectangle, img image.Image) {
	c.pen.SetInterpolator(draw.BiLinear)
	c.Canvas.DrawImage(r, img)
	c.pen.SetInterpolator(draw.NearestNeighbor)
}

// write writes the file: a header, the compressed rows of pixels and an end. write changes the
// pixels, so nothing can be drawn afterwards.
func (c pngCanvas) write(w io.Writer) error {
	var rows bytes.Buffer
	z, _ := zlib.NewWriterLevel(&rows, zlib.BestSpeed) // Only an unknown level is an error.
	img := c.pen.Image().(*image.RGBA)
	for row := range slices.Chunk(img.Pix, img.Stride) {
		for i := 3; i < len(row); i += 4 {
			// The canvas has colours multiplied by their opacity, and PNG has them unmultiplied. The
			// formula is the one of color.NRGBAModel.
			for k, opacity := i-3, uint32(row[i]); opacity > 0 && opacity < 0xff && k < i; k++ {
				row[k] = byte(uint32(row[k]) * 0xffff / opacity >> 8)
			}
		}
		_, _ = z.Write(append([]byte{0}, row...)) // Filter 0 keeps the pixels as they are.
	}
	_ = z.Close() // Writing to a buffer does not fail.
	size := img.Bounds().Size()
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(size.X)), uint32(size.Y))
	// Eight bits (8) of red, green, blue and opacity (6). The zeros are the compression and the
	// filters that all PNG files have, and rows from top to bottom.
	header = append(header, 8, 6, 0, 0, 0)
	out := []byte("\x89PNG\r\n\x1a\n")
	for _, chunk := range [][2]string{{"IHDR", string(header)}, {"IDAT", rows.String()}, {"IEND", ""}} {
		checked := chunk[0] + chunk[1]
		out = append(binary.BigEndian.AppendUint32(out, uint32(len(chunk[1]))), checked...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE([]byte(checked)))
	}
	_, err := w.Write(out)
	return err
}
