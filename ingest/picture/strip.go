package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
)

var errCutOff = errors.New("it ends too early")

// pngHeader is the length of a PNG's signature and its first chunk.
const pngHeader = 8 + 12 + 13

// keptChunks are the chunks of a PNG that its pixels need; the value says whether a chunk is about
// colours. All other chunks are removed: texts, times, EXIF, frames of animations, and unknown
// ones.
var keptChunks = map[string]bool{
	"IHDR": false, "PLTE": false, "IDAT": false, "IEND": false, "tRNS": false, "sBIT": false, "pHYs": false,
	"gAMA": true, "cHRM": true, "sRGB": true, "iCCP": true, "cICP": true,
}

// stripPNG keeps the chunks that the pixels need.
func stripPNG(content []byte) (stripped, colour []byte, err error) {
	const signature = 8 // bytes; Kind has checked them
	stripped = append(make([]byte, 0, len(content)), content[:signature]...)
	for rest := content[signature:]; ; {
		if len(rest) < 12 {
			return nil, nil, errCutOff
		}
		size := 12 + uint64(binary.BigEndian.Uint32(rest))
		if size > uint64(len(rest)) {
			return nil, nil, errCutOff
		}
		chunk, name := rest[:size], string(rest[4:8])
		rest = rest[size:]
		if isColour, kept := keptChunks[name]; kept {
			stripped = append(stripped, chunk...)
			if isColour {
				colour = append(colour, chunk...)
			}
		}
		if name == "IEND" {
			return stripped, colour, nil
		}
	}
}

// The markers of a JPEG that matter here.
const (
	markerSOI  = 0xd8
	markerEOI  = 0xd9
	markerSOS  = 0xda
	markerRST0 = 0xd0
	markerRST7 = 0xd7
	markerAPP0 = 0xe0
	markerAPPF = 0xef
	markerCOM  = 0xfe
)

// maxScans bounds the passes over a progressive JPEG. Encoders make about ten. Each pass costs time
// for all pixels, even with few bytes.
const maxScans = 100

// stripJPEG keeps the application segments that the colours depend on: JFIF, ICC profiles, and
// Adobe's. It removes EXIF, XMP, IPTC, thumbnails, comments and everything after the end of the
// picture.
func stripJPEG(content []byte) (stripped, colour []byte, err error) {
	stripped = append(make([]byte, 0, len(content)), content[:2]...)
	scans := 0
	for rest := content[2:]; ; {
		start := bytes.IndexByte(rest, 0xff)
		if start < 0 {
			return nil, nil, errCutOff
		}
		rest = rest[start:] // Decoders skip bytes between segments.
		for len(rest) > 1 && rest[1] == 0xff {
			rest = rest[1:] // Any number of bytes 0xff may precede a marker.
		}
		if len(rest) < 2 {
			return nil, nil, errCutOff
		}
		marker := rest[1]
		switch {
		case marker == markerEOI:
			return append(stripped, 0xff, markerEOI), colour, nil
		case marker == 0, marker == 1, marker >= markerRST0 && marker <= markerSOI:
			rest = rest[2:] // These markers have no length and no content, and are left out.
			continue
		}
		if len(rest) < 4 {
			return nil, nil, errCutOff
		}
		size := 2 + int(binary.BigEndian.Uint16(rest[2:])) // with the marker; the length counts its own two bytes
		if size < 4 || size > len(rest) {
			return nil, nil, errCutOff
		}
		segment := rest[:size]
		rest = rest[size:]
		isApplication := marker >= markerAPP0 && marker <= markerAPPF
		isColour := isApplication && bytes.HasPrefix(segment[4:], []byte("ICC_PROFILE\x00"))
		isNeeded := isColour || marker == markerAPP0 && bytes.HasPrefix(segment[4:], []byte("JFIF\x00")) ||
			marker == markerAPP0+14 && bytes.HasPrefix(segment[4:], []byte("Adobe"))
		if isApplication && !isNeeded || marker == markerCOM {
			continue
		}
		stripped = append(stripped, segment...)
		if isColour {
			colour = append(colour, segment...)
		}
		if marker == markerSOS {
			if scans++; scans > maxScans {
				return nil, nil, errors.New("it has more than 100 scans")
			}
			end := endOfScan(rest)
			stripped, rest = append(stripped, rest[:end]...), rest[end:]
		}
	}
}

// endOfScan finds the marker that ends the coded pixels. Among the pixels, 0xff also stands before
// a stuffed zero, before a restart and before another 0xff; none of these ends the pixels.
func endOfScan(rest []byte) int {
	for i := 0; ; i++ {
		next := bytes.IndexByte(rest[i:], 0xff)
		if next < 0 || i+next+1 >= len(rest) {
			return len(rest)
		}
		i += next
		if m := rest[i+1]; m != 0 && m != 0xff && (m < markerRST0 || m > markerRST7) {
			return i
		}
	}
}

// stripWebP keeps the chunks of a still WebP that its pixels and colours need. colour stays empty,
// because a chunk of WebP does not fit into a picture that is encoded as JPEG or PNG.
func stripWebP(content []byte) (stripped, colour []byte, err error) {
	const header = 12 // bytes; Kind has checked them
	end := 8 + uint64(binary.LittleEndian.Uint32(content[4:]))
	if end > uint64(len(content)) || end < header {
		return nil, nil, errCutOff
	}
	stripped = append(make([]byte, 0, len(content)), content[:header]...)
	for rest := content[header:end]; len(rest) > 0; {
		if len(rest) < 8 {
			return nil, nil, errCutOff
		}
		size := 8 + uint64(binary.LittleEndian.Uint32(rest[4:]))
		padded := size + size%2
		if size > uint64(len(rest)) {
			return nil, nil, errCutOff
		}
		chunk := rest[:min(padded, uint64(len(rest)))]
		rest = rest[len(chunk):]
		switch string(chunk[:4]) {
		case "ANIM", "ANMF":
			return nil, nil, errors.New("it is an animation, which is not supported")
		case "VP8 ", "VP8L", "ALPH", "ICCP":
			stripped = append(stripped, chunk...)
		case "VP8X":
			stripped = append(stripped, chunk...)
			if flags := len(stripped) - len(chunk) + 8; flags < len(stripped) {
				stripped[flags] &^= 0x08 | 0x04 // The flags for EXIF and XMP.
			}
		}
	}
	binary.LittleEndian.PutUint32(stripped[4:], uint32(len(stripped)-8))
	return stripped, nil, nil
}
