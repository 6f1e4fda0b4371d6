package picture

import (
	"bytes"
	"image"
	"image/draw"
	"slices"
	"time"

	"github.com/bep/imagemeta"
)

var metaFormats = map[string]imagemeta.ImageFormat{"jpeg": imagemeta.JPEG, "png": imagemeta.PNG, "webp": imagemeta.WebP,
	"tiff": imagemeta.TIFF}

// orientation is the orientation in a picture's EXIF: 1 is upright, and 2 to 8 are the turns of
// TIFF 6.0 (section 8, tag 274). Unreadable EXIF, or any other value, turns nothing: viewers show
// such a picture unchanged.
func orientation(content []byte, kind string) int {
	format, known := metaFormats[kind]
	if !known {
		return 1
	}
	turn := 1
	// Faults in the metadata are not faults of the picture.
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

// upright turns and mirrors a picture by its orientation. The result has eight bits a channel.
func upright(img image.Image, orientation int) *image.NRGBA {
	b := img.Bounds()
	from := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(from, from.Rect, img, b.Min, draw.Src)
	w, h, turned := b.Dx(), b.Dy(), orientation >= 5 // by a quarter turn, or mirrored along a diagonal
	if turned {
		w, h = h, w
	}
	mirrored, upsideDown := slices.Contains([]int{2, 3, 7, 8}, orientation),
		slices.Contains([]int{3, 4, 6, 7}, orientation)
	to := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			sx, sy := x, y // the stored pixel that is shown at (x, y)
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
