package plots

import (
	"fmt"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"io"

	_ "golang.org/x/image/webp"
)

// maxPixels bounds pictures: a small file can claim a size that would take all memory when it is
// opened.
const maxPixels = 64 << 20

// DecodePicture opens a PNG, JPEG, GIF (its first frame) or WebP picture. Pictures of more than 64
// megapixels are refused.
func DecodePicture(r io.ReadSeeker) (image.Image, error) {
	head, format, err := image.DecodeConfig(r)
	if err != nil {
		return nil, err
	}
	// The division cannot overflow, as the product of width and height could.
	if head.Width <= 0 || head.Height <= 0 || head.Width > maxPixels/head.Height {
		return nil, fmt.Errorf("a %s picture of %d by %d pixels is too large to draw", format, head.Width, head.Height)
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	img, _, err := image.Decode(r)
	return img, err
}
