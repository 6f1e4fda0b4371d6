package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"testing"

	"golang.org/x/image/draw"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// A picture that is made of the 64 waves, each of them as strong as the others, and 32 of them
// upside down, has these bits and no others: the median of 32 strengths +s and 32 strengths -s lies
// between them.
func TestHashOfWaves(t *testing.T) {
	t.Parallel()
	for _, want := range []uint64{0x0f1e2d3c4b5a6978, 0xffffffff00000000, 0xaaaa5555cccc3333} {
		for _, size := range []image.Point{{32, 32}, {64, 96}, {160, 64}} {
			img := image.NewGray(image.Rect(0, 0, size.X, size.Y))
			for y := range size.Y {
				for x := range size.X {
					level := 128.0
					for i := range 64 {
						sign := 1.0
						if want>>(63-i)&1 == 0 {
							sign = -1
						}
						u, v := float64(1+i%8), float64(1+i/8)
						level += sign * 1.9 * math.Cos((2*float64(x)+1)*u*math.Pi/(2*float64(size.X))) *
							math.Cos((2*float64(y)+1)*v*math.Pi/(2*float64(size.Y)))
					}
					img.SetGray(x, y, color.Gray{Y: uint8(math.Round(level))})
				}
			}
			expect.Equal(t, hash(img), fmt.Sprintf("%016x", want), size, want)
		}
	}
}

func TestHashOfOneColour(t *testing.T) {
	t.Parallel()
	for _, size := range []image.Point{{1, 1}, {7, 50}, {640, 480}} {
		img := image.NewRGBA(image.Rectangle{Max: size})
		draw.Draw(img, img.Rect, image.NewUniform(color.RGBA{200, 30, 77, 255}), image.Point{}, draw.Src)
		expect.Equal(t, hash(img), "", size)
	}
}

// scene draws overlapping rectangles and discs.
func scene(seed uint64, width, height int) *image.RGBA {
	r := rand.New(rand.NewPCG(seed, 1))
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(img, img.Rect,
		image.NewUniform(color.RGBA{uint8(r.IntN(256)), uint8(r.IntN(256)), uint8(r.IntN(256)), 255}),
		image.Point{}, draw.Src)
	for range 12 {
		c := color.RGBA{uint8(r.IntN(256)), uint8(r.IntN(256)), uint8(r.IntN(256)), 255}
		x, y, w, h := r.IntN(width), r.IntN(height), 1+r.IntN(width/2), 1+r.IntN(height/2)
		round := r.IntN(2) == 0
		for j := y - h/2; j < y+h/2; j++ {
			for i := x - w/2; i < x+w/2; i++ {
				dx, dy := float64(2*(i-x))/float64(w), float64(2*(j-y))/float64(h)
				if !round || dx*dx+dy*dy < 1 {
					img.Set(i, j, c)
				}
			}
		}
	}
	return img
}

// distance counts the bits in which two hashes differ, from 0 to 64.
func distance(t *testing.T, a, b string) int {
	t.Helper()
	x, err := strconv.ParseUint(a, 16, 64)
	y, other := strconv.ParseUint(b, 16, 64)
	must.Succeed(t, errors.Join(err, other))
	return bits.OnesCount64(x ^ y)
}

// What people do to a picture without making it another one stays near, and other pictures do not
// come near.
func TestHashTellsPicturesApart(t *testing.T) {
	t.Parallel()
	var hashes []string
	farthest, kept := 0, 0
	const near = 6 // the greatest distance of two pictures in the question image_duplicates
	for seed := range uint64(20) {
		img := scene(seed, 320, 240)
		h := hash(img)
		hashes = append(hashes, h)
		small := image.NewRGBA(image.Rect(0, 0, 97, 73))
		draw.CatmullRom.Scale(small, small.Rect, img, img.Rect, draw.Src, nil)
		lossy := must.Get(Read(encodedAt(t, img, 30)))(t)
		dim := image.NewRGBA(img.Rect)
		for i, p := range img.Pix {
			dim.Pix[i] = uint8(int(p)*3/4 + 10)
		}
		trimmed := img.SubImage(image.Rect(2, 2, 318, 238))
		for _, other := range []string{hash(small), lossy.Hash, hash(dim), hash(trimmed)} {
			d := distance(t, h, other)
			farthest = max(farthest, d)
			if kept++; d > near {
				t.Logf("seed %d: distance %d", seed, d)
				kept--
			}
		}
	}
	nearest := 64
	for i := range hashes {
		for j := range i {
			nearest = min(nearest, distance(t, hashes[i], hashes[j]))
		}
	}
	t.Logf("variants are %d apart at most, and %d of 80 are near; others are %d apart at least", farthest,
		kept, nearest)
	if kept < 78 || nearest <= near {
		t.Errorf("variants near: %d of 80; others: %d", kept, nearest)
	}
}

func encodedAt(t testing.TB, img image.Image, quality int) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Succeed(t, jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}))
	return b.Bytes()
}
