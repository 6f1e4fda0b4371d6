package picture

import (
	"bytes"
	"image"
	"image/draw"
	"slices"
	"time"

	"github.com/bep/imagemeta"
)

var metaFormats = map[string]imagemeta.ImageFormat{"jpeg": imagemeta.JPEG, "png": imagemeta.PNG, "webp": imagemeta.WebP, "tiff": imagemeta.TIFF}

// orientation is what the EXIF of a picture says of how it is to be turned: 1 upright, 2 to 8 as TIFF 6.0 counts them (section 8,
// tag 274). EXIF that cannot be read, or that says anything else, turns nothing: viewers show such a picture as it is.
func orientation(content []byte, kind string) int {
	format, known := metaFormats[kind]
	if !known {
		return 1
	}
	turn := 1
	// What is wrong with the metadata is no fault of the picture.
	_, _ = imagemeta.Decode(imagemeta.Options{
		R: bytes.NewReader(content), ImageFormat: format, Sources: imagemeta.EXIF, Timeout: 5 * time.Second,
		ShouldHandleTag: func(t imagemeta.TagInfo) bool { return t.Tag == "Orientation" && t.Namespace == "IFD0" },
		HandleTag: func(t imagemeta.TagInfo) error {
			if n, ok := t.Value.(uint16); ok && n >= 1 && n <= 8 {
				turn = int(n)
			}
			return imagemeta.ErrStopWalking
		},
	})
	return turn
}

// upright turns and mirrors a picture as its orientation says. It has eight bits a channel afterwards.
func upright(img image.Image, orientation int) *image.NRGBA {
	b := img.Bounds()
	from := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(from, from.Rect, img, b.Min, draw.Src)
	w, h, turned := b.Dx(), b.Dy(), orientation >= 5 // by a quarter, or mirrored along a diagonal
	if turned {
		w, h = h, w
	}
	mirrored, upsideDown := slices.Contains([]int{2, 3, 7, 8}, orientation), slices.Contains([]int{3, 4, 6, 7}, orientation)
	to := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			sx, sy := x, y // the place in the stored picture that is shown at (x, y)
			if turned {
				sx, sy = y, x
			}
			if mirrored {
				sx = b.Dx() - 1 - sx
			}
			if upsideDown {
				sy = b.Dy() - 1 - sy
			}
			i, j := to.PixOffset(x, y), from.PixOffset(sx, sy)
			copy(to.Pix[i:i+4], from.Pix[j:j+4])
		}
	}
	return to
}
