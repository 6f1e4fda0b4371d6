package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/draw"
	"image/gif"
	"io"
)

// decodeGIF decodes the first frame, on the whole of the picture.
func decodeGIF(r io.Reader) (image.Image, error) {
	content, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	config, err := gif.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	frame, err := gif.Decode(bytes.NewReader(content))
	if err != nil || frame.Bounds() == image.Rect(0, 0, config.Width, config.Height) {
		return frame, err
	}
	whole := image.NewNRGBA(image.Rect(0, 0, config.Width, config.Height))
	draw.Draw(whole, frame.Bounds(), frame, frame.Bounds().Min, draw.Src)
	return whole, nil
}

// gifFrames counts the frames of a GIF without decoding them, and finds out whether it is whole.
func gifFrames(content []byte) (int, error) {
	const header = 13
	if len(content) < header {
		return 0, errCutOff
	}
	rest := content[header:]
	skip := func(n int) bool {
		if n > len(rest) {
			return false
		}
		rest = rest[n:]
		return true
	}
	blocks := func() bool {
		for len(rest) > 0 {
			n := int(rest[0])
			if !skip(1 + n) {
				return false
			}
			if n == 0 {
				return true
			}
		}
		return false
	}
	colours := func(flags byte) int {
		if flags&0x80 == 0 {
			return 0
		}
		return 3 << (flags&7 + 1)
	}
	if !skip(colours(content[10])) {
		return 0, errCutOff
	}
	for frames := 0; ; {
		if len(rest) == 0 {
			return 0, errCutOff
		}
		ok := false
		switch rest[0] {
		case 0x3b: // the end
			if frames == 0 {
				return 0, errors.New("it has no frame")
			}
			return frames, nil
		case 0x21: // an extension
			ok = skip(2) && blocks()
		case 0x2c: // a frame, after which its code size stands
			frames++
			ok = len(rest) >= 10 && skip(10+colours(rest[9])) && skip(1) && blocks()
		default:
			return 0, errors.New("it has a block of an unknown kind")
		}
		if !ok {
			return 0, errCutOff
		}
	}
}

// maxPages bounds the walk through a TIFF whose pages follow each other in a circle.
const maxPages = 10_000

// tiffPages counts the pages of a TIFF. Its first one must not be a thumbnail, as in the raw pictures of cameras.
func tiffPages(content []byte) (int, error) {
	var order binary.ByteOrder = binary.LittleEndian
	if content[0] == 'M' {
		order = binary.BigEndian
	}
	if len(content) < 8 {
		return 0, errCutOff
	}
	pages := 0
	for at := uint64(order.Uint32(content[4:])); at != 0; {
		if pages++; pages > maxPages {
			return 0, errors.New("it has more than 10000 pages")
		}
		if at+2 > uint64(len(content)) {
			return 0, errCutOff
		}
		entries := uint64(order.Uint16(content[at:]))
		next := at + 2 + 12*entries
		if next+4 > uint64(len(content)) {
			return 0, errCutOff
		}
		if pages == 1 {
			for e := at + 2; e < next; e += 12 {
				const newSubfileType = 254
				if order.Uint16(content[e:]) == newSubfileType && order.Uint32(content[e+8:])&1 == 1 {
					return 0, errors.New("it begins with a thumbnail, as the raw pictures of cameras do")
				}
			}
		}
		at = uint64(order.Uint32(content[next:]))
	}
	return pages, nil
}
