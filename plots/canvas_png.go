package plots

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"math"

	"git.sr.ht/~sbinet/gg"
	"github.com/klauspost/compress/zlib"
	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// pngCanvas writes its pixels as PNG.
type pngCanvas struct{ *vgimg.Canvas }

func newPNG(width, height vg.Length) pngCanvas {
	dots := func(l vg.Length) int { return int(math.Round(l.Dots(pngDPI))) }
	img := image.NewRGBA(image.Rect(0, 0, dots(width), dots(height)))
	ctx := gg.NewContextForRGBA(img)
	ctx.SetInterpolator(moved{draw.BiLinear})
	ctx.SetLineCapButt()
	ctx.InvertY() // as vgimg has it: its y goes up
	return pngCanvas{vgimg.NewWith(vgimg.UseImageWithContext(img, ctx), vgimg.UseDPI(pngDPI))}
}

// moved copies what is moved by whole pixels, as the glyphs of upright text are. Interpolation gives the same and takes ten times as long.
type moved struct{ draw.Interpolator }

func (m moved) Transform(dst draw.Image, to f64.Aff3, src image.Image, from image.Rectangle, op draw.Op, o *draw.Options) {
	x, y := math.Round(to[2]), math.Round(to[5])
	if to != (f64.Aff3{1, 0, x, 0, 1, y}) {
		m.Interpolator.Transform(dst, to, src, from, op, o)
		return
	}
	draw.Copy(dst, from.Min.Add(image.Pt(int(x), int(y))), src, from, op, o)
}

// WriteTo implements [io.WriterTo].
func (c pngCanvas) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	var err error
	if img, ok := c.Image().(*image.RGBA); ok && img.Opaque() {
		err = writePNG(&b, img)
	} else {
		err = png.Encode(&b, c.Image())
	}
	if err != nil {
		return 0, err
	}
	return b.WriteTo(w)
}

// writePNG writes an opaque picture, each line as its difference from the one above, which in most lines of a figure is none. The standard
// library tries five ways for each line, which takes longer than all else that it does.
func writePNG(b *bytes.Buffer, img *image.RGBA) error {
	size := img.Bounds().Size()
	const up = 2 // the filter's number (PNG specification, section 9.2)
	line, same := make([]byte, 1+3*size.X), make([]byte, 1+3*size.X)
	line[0], same[0] = up, up
	above := make([]byte, 4*size.X)
	var pixels bytes.Buffer
	z, err := zlib.NewWriterLevel(&pixels, zlib.BestSpeed)
	if err != nil {
		return err
	}
	for y := range size.Y {
		row := img.Pix[y*img.Stride:][:4*size.X]
		written := same
		if !bytes.Equal(row, above) {
			written = line
			for x := range size.X {
				for k := range 3 {
					line[1+3*x+k] = row[4*x+k] - above[4*x+k]
				}
			}
		}
		if _, err := z.Write(written); err != nil {
			return err
		}
		above = row
	}
	if err := z.Close(); err != nil {
		return err
	}
	header := binary.BigEndian.AppendUint32(nil, uint32(size.X))
	header = binary.BigEndian.AppendUint32(header, uint32(size.Y))
	header = append(header, 8, 2, 0, 0, 0) // bits of a colour, red, green and blue, and the only methods that there are
	b.WriteString("\x89PNG\r\n\x1a\n")
	for _, chunk := range []struct {
		name    string
		content []byte
	}{{"IHDR", header}, {"IDAT", pixels.Bytes()}, {"IEND", nil}} {
		named := append([]byte(chunk.name), chunk.content...)
		b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(chunk.content))))
		b.Write(named)
		b.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(named)))
	}
	return nil
}
