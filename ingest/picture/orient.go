package picture

import (
	"bytes"
	"image"
	"image/draw"
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
	w, h := b.Dx(), b.Dy()
	if orientation >= 5 {
		w, h = h, w
	}
	to := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			// The place in the stored picture that is shown at (x, y).
			var sx, sy int
			switch orientation {
			case 1:
				sx, sy = x, y
			case 2: // mirrored from left to right
				sx, sy = w-1-x, y
			case 3: // turned by half
				sx, sy = w-1-x, h-1-y
			case 4: // mirrored from top to bottom
				sx, sy = x, h-1-y
			case 5: // mirrored along the falling diagonal
				sx, sy = y, x
			case 6: // to be turned clockwise
				sx, sy = y, w-1-x
			case 7: // mirrored along the rising diagonal
				sx, sy = h-1-y, w-1-x
			case 8: // to be turned anticlockwise
				sx, sy = h-1-y, x
			}
			i, j := to.PixOffset(x, y), from.PixOffset(sx, sy)
			copy(to.Pix[i:i+4], from.Pix[j:j+4])
		}
	}
	return to
}
