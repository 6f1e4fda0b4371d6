package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image/gif"
)

// severalFrames reports whether a GIF has several frames. Its error says that the file is not
// whole.
func severalFrames(content []byte) (bool, error) {
	all, err := gif.DecodeAll(bytes.NewReader(content))
	return err == nil && len(all.Image) > 1, err
}

// severalPages reports whether a TIFF has several pages. An error says that the file is cut off, or
// begins with a thumbnail, as the raw pictures of cameras do. A page's directory has the number of
// its entries, the entries of 12 bytes, and the place of the next page's directory, 0 for the last
// page.
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
		const newSubfileType = 254 // Bit 0 of its value marks a smaller copy of another page.
		if order.Uint16(content[e:]) == newSubfileType && order.Uint32(content[e+8:])&1 == 1 {
			return false, errors.New("it begins with a thumbnail, as the raw pictures of cameras do")
		}
	}
	return order.Uint32(content[next:]) != 0, nil
}
