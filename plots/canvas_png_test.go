package plots

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// TestWritePNG reads a picture back: lines that repeat, lines that differ, and one pixel.
func TestWritePNG(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {300, 40}} {
		img := image.NewRGBA(image.Rectangle{Max: size})
		for y := range size.Y {
			for x := range size.X {
				img.Set(x, y, color.RGBA{uint8(x), uint8(y / 3 * 90), uint8(x * y / 3), 255})
			}
		}
		var b bytes.Buffer
		must.Succeed(t, writePNG(&b, img))
		got, err := png.Decode(&b)
		must.Succeed(t, err)
		if got.Bounds() != img.Bounds() {
			t.Fatalf("%v", got.Bounds())
		}
		for y := range size.Y {
			for x := range size.X {
				if want := img.RGBAAt(x, y); color.RGBAModel.Convert(got.At(x, y)) != want {
					t.Fatalf("%d, %d: %v instead of %v", x, y, got.At(x, y), want)
				}
			}
		}
	}
}

// BenchmarkPNG encodes a figure beside the standard library.
func BenchmarkPNG(b *testing.B) {
	img := image.NewRGBA(image.Rect(0, 0, 1440, 1000))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	for y := 100; y < 900; y += 20 {
		for x := range 1200 {
			for k := range 12 {
				img.Set(100+x, y+k, color.RGBA{uint8(x / 3), uint8(y), uint8(x ^ k*16), 255})
			}
		}
	}
	b.Run("own", func(b *testing.B) {
		for b.Loop() {
			var w bytes.Buffer
			must.Succeed(b, writePNG(&w, img))
			b.ReportMetric(float64(w.Len()), "bytes")
		}
	})
	b.Run("library", func(b *testing.B) {
		for b.Loop() {
			var w bytes.Buffer
			must.Succeed(b, (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&w, img))
			b.ReportMetric(float64(w.Len()), "bytes")
		}
	})
}
