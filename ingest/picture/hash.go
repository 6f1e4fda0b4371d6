package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"
)

const (
	hashCells = 32 // cells a side, over which the picture is averaged
	hashWaves = 8  // waves a side; the hash compares their strengths
)

// hash is the perceptual hash by the discrete cosine transform (C. Zauner, Implementation and
// Benchmarking of Perceptual Image Hash Functions, 2010, section 3.2.1). The picture's brightness
// is averaged over 32 × 32 cells. Each of the 8 × 8 slowest waves that change in both directions
// gives one bit: whether its strength is above the median. The bits are written as 16 hexadecimal
// digits, the slowest wave first. Changes of size, compression and brightness change few bits.
func hash(img image.Image) string {
	cells := averages(img)
	var strengths []float64
	for v := 1; v <= hashWaves; v++ {
		for u := 1; u <= hashWaves; u++ {
			sum := 0.0
			for y := range hashCells {
				for x := range hashCells {
					sum += cells[y][x] * waves[u][x] * waves[v][y]
				}
			}
			strengths = append(strengths, math.Round(sum)) // A picture of one colour leaves only rounding errors.
		}
	}
	sorted := slices.Sorted(slices.Values(strengths))
	if sorted[0] == 0 && sorted[len(sorted)-1] == 0 {
		return ""
	}
	median := (sorted[len(sorted)/2-1] + sorted[len(sorted)/2]) / 2
	var code uint64
	for _, s := range strengths {
		code <<= 1
		if s > median {
			code |= 1
		}
	}
	return fmt.Sprintf("%016x", code)
}

// waves are the cosines of the transform: waves[u][x] is the wave u at the cell x.
var waves = func() (w [hashWaves + 1][hashCells]float64) {
	for u := range w {
		for x := range w[u] {
			w[u][x] = math.Cos(float64(2*x+1) * float64(u) * math.Pi / (2 * hashCells))
		}
	}
	return w
}()

// averages gives the mean brightness of the cells, 0 to 255, as if on white paper. It reads every
// pixel itself, so the hash does not depend on how a library would scale the picture.
func averages(img image.Image) (cells [hashCells][hashCells]float64) {
	light := lightness(img)
	size := light.Bounds().Size()
	for cy := range hashCells {
		top, bottom := cell(cy, size.Y)
		for cx := range hashCells {
			left, right := cell(cx, size.X)
			sum := 0
			for y := top; y < bottom; y++ {
				for _, p := range light.Pix[y*light.Stride+left : y*light.Stride+right] {
					sum += int(p)
				}
			}
			cells[cy][cx] = float64(sum) / float64((bottom-top)*(right-left))
		}
	}
	return cells
}

// cell is the range of pixels of the cell i along a side of size pixels. A side with fewer pixels
// than cells repeats some pixels.
func cell(i, size int) (from, to int) {
	from = i * size / hashCells
	return from, max(from+1, (i+1)*size/hashCells)
}

// lightness gives the brightness of a picture. The first pixel is at the start of Pix.
func lightness(img image.Image) *image.Gray {
	b := img.Bounds()
	if p, is := img.(*image.YCbCr); is {
		return &image.Gray{Pix: p.Y[p.YOffset(b.Min.X, b.Min.Y):], Stride: p.YStride,
			Rect: image.Rect(0, 0, b.Dx(), b.Dy())}
	}
	light := image.NewGray(image.Rect(0, 0, b.Dx(), b.Dy()))
	// The picture is drawn row by row, so that a colour copy of all its rows is never in memory.
	row := image.NewRGBA(image.Rect(0, 0, b.Dx(), 1))
	for y := range b.Dy() {
		draw.Draw(row, row.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
		draw.Draw(row, row.Rect, img, image.Pt(b.Min.X, b.Min.Y+y), draw.Over)
		for x := range b.Dx() {
			r, g, bl := int(row.Pix[4*x]), int(row.Pix[4*x+1]), int(row.Pix[4*x+2])
			light.Pix[y*light.Stride+x] = uint8((299*r + 587*g + 114*bl + 500) / 1000)
		}
	}
	return light
}
