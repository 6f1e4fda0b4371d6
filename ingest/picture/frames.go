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
	all, err := gif.DecodeAll(r)
	if err != nil {
		return nil, err
	}
	whole := image.NewNRGBA(image.Rect(0, 0, all.Config.Width, all.Config.Height))
	first := all.Image[0]
	draw.Draw(whole, first.Bounds(), first, first.Bounds().Min, draw.Src)
	return whole, nil
}

// gifFrames counts the frames of a GIF, and finds out whether it is whole.
func gifFrames(content []byte) (int, error) {
	all, err := gif.DecodeAll(bytes.NewReader(content))
	if err != nil {
		return 0, err
	}
	return len(all.Image), nil
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
