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

// decodeGIF decodes the first frame, on the whole area of the picture.
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

// severalFrames reports whether a GIF has several frames. Its error says that the file is not
// whole.
func severalFrames(content []byte) (bool, error) {
	all, err := gif.DecodeAll(bytes.NewReader(content))
	return err == nil && len(all.Image) > 1, err
}

// severalPages reports whether a TIFF has several pages. Its first page must not be a thumbnail, as
// in the raw pictures of cameras.
func severalPages(content []byte) (bool, error) {
	if len(content) < 8 {
		return false, errCutOff
	}
	var order binary.ByteOrder = binary.LittleEndian
	if content[0] == 'M' {
		order = binary.BigEndian
	}
	at := uint64(order.Uint32(content[4:]))
	if at+2 > uint64(len(content)) {
		return false, errCutOff
	}
	next := at + 2 + 12*uint64(order.Uint16(content[at:]))
	if next+4 > uint64(len(content)) {
		return false, errCutOff
	}
	for e := at + 2; e < next; e += 12 {
		const newSubfileType = 254
		if order.Uint16(content[e:]) == newSubfileType && order.Uint32(content[e+8:])&1 == 1 {
			return false, errors.New("it begins with a thumbnail, as the raw pictures of cameras do")
		}
	}
	return order.Uint32(content[next:]) != 0, nil
}
