package picture

import (
	"bytes"
	"image"
	"image/draw"
	"slices"
	"time"

	"github.com/bep/imagemeta"
)

// metaFormats are the kinds of pictures that may have EXIF.
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
	size := img.Bounds().Size()
	from := image.NewNRGBA(image.Rectangle{Max: size})
	draw.Draw(from, from.Rect, img, img.Bounds().Min, draw.Src)
	swapsSides := orientation >= 5 // a quarter turn, or mirrored along a diagonal
	// mirrored reverses the order of the stored columns, and upsideDown the order of the stored rows.
	mirrored := slices.Contains([]int{2, 3, 7, 8}, orientation)
	upsideDown := slices.Contains([]int{3, 4, 6, 7}, orientation)
	to := image.NewNRGBA(from.Rect)
	if swapsSides {
		to = image.NewNRGBA(image.Rect(0, 0, size.Y, size.X))
	}
	for y := range to.Rect.Max.Y {
		for x := range to.Rect.Max.X {
			storedX, storedY := x, y // the stored pixel that is shown at (x, y)
			if swapsSides {
				storedX, storedY = y, x
			}
			if mirrored {
				storedX = size.X - 1 - storedX
			}
			if upsideDown {
				storedY = size.Y - 1 - storedY
			}
			i, j := to.PixOffset(x, y), from.PixOffset(storedX, storedY)
			copy(to.Pix[i:i+4], from.Pix[j:j+4])
		}
	}
	return to
}
