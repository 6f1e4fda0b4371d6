package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	_ "image/gif" // read by package image
	"image/jpeg"
	"image/png"
	"net/http"
	"slices"
	"strings"

	_ "golang.org/x/image/bmp"  // read by package image
	_ "golang.org/x/image/tiff" // read by package image
	_ "golang.org/x/image/webp" // read by package image
	"golang.org/x/sync/semaphore"
)

// mostMemory bounds the bytes of pictures decoded at once: a small file can claim to be a huge
// picture. It is enough for 2^26 pixels of 6 bytes (perPixel).
const mostMemory = 6 << 26

var memory = semaphore.NewWeighted(mostMemory)

// perPixel is the number of bytes that decoding takes for a pixel. It is larger for two bytes a
// colour, for progressive JPEG, which keeps the coefficients of all passes, and for pictures that
// are turned.
func perPixel(content []byte, kind string, colours color.Model) (size int64) {
	// The marker of a progressive JPEG. If other data contain it, the size is only larger than needed.
	isProgressive := kind == "jpeg" && bytes.Contains(content, []byte{0xff, 0xc2})
	switch {
	case isProgressive:
		size = 16
	case colours == color.RGBA64Model || colours == color.NRGBA64Model || colours == color.Gray16Model:
		size = 12
	default:
		size = 6
	}
	if orientation(content, kind) > 1 {
		size += 10
	}
	return size
}

// MaxBytes is the largest picture in a request: stages/llm sends no larger one.
const MaxBytes = 32 << 20

// Kinds are the kinds of pictures that are read, as sentences list them.
const Kinds = "png, jpeg, webp, gif, bmp or tiff"

// A Picture is a picture in the form for models and pages.
type Picture struct {
	Content       []byte // the encoded picture; the original bytes if they need no change
	Format        string // png, jpeg or webp
	Was           string // kind of the original: png, jpeg, webp, gif, bmp or tiff
	Width, Height int    // pixels, upright
	Hash          string // see the function hash; empty for a picture of one colour
	Turned        bool   // it was turned upright, as its metadata said
	Cleaned       bool   // it had metadata, or bytes after its end
	Several       bool   // it was the first of several frames of an animation or pages of a document
}

// strips are the functions that remove metadata and everything after the picture, by kind. colour
// is the metadata that says what the pixels' colours mean; encode adds it to a picture that is
// encoded again. Other kinds are always encoded again.
var strips = map[string]func(content []byte) (stripped, colour []byte, err error){
	"png": stripPNG, "jpeg": stripJPEG, "webp": stripWebP,
}

// severals are the functions that report whether a file has several frames or pages, by kind. An
// animated WebP is refused, and an animated PNG loses all but its still picture (strips).
var severals = map[string]func(content []byte) (bool, error){"gif": severalFrames, "tiff": severalPages}

// Kind recognises a picture by its first bytes; 32 are enough. It is empty for anything else.
func Kind(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("II*\x00")), bytes.HasPrefix(head, []byte("MM\x00*")):
		return "tiff"
	case bytes.HasPrefix(head, []byte("BM")):
		// Many texts begin with BM, so a header of a known size must follow.
		if len(head) >= 18 && binary.LittleEndian.Uint32(head[6:]) == 0 &&
			slices.Contains([]uint32{12, 40, 52, 56, 64, 108, 124}, binary.LittleEndian.Uint32(head[14:])) {
			return "bmp"
		}
		return ""
	}
	kind, is := strings.CutPrefix(http.DetectContentType(head), "image/")
	if is && slices.Contains([]string{"png", "jpeg", "webp", "gif"}, kind) {
		return kind
	}
	return ""
}

// foreign are the kinds of pictures that are not read: bytes near the beginning, and the kind.
var foreign = [][2]string{
	{"ftyphei", "heic"}, {"ftypmif1", "heic"}, {"ftypmsf1", "heic"}, {"ftypavi", "avif"}, {"JXL \r\n", "jpeg xl"},
	{"\xff\n", "jpeg xl"}, {"<svg", "svg"}, {"<SVG", "svg"},
}

// Read makes a picture from the bytes of a file. It decodes the whole file: a header does not show
// that it is whole. PNG, JPEG and WebP keep their bytes except metadata, unless they have to be
// turned. Turned pictures, and every GIF, BMP and TIFF, are encoded again: JPEG, and WebP without
// transparency, as JPEG, all others as PNG. Reading the result again changes nothing.
//
// The error says what is wrong with the file; the caller says what to do.
func Read(content []byte) (Picture, error) { return read(content, mostMemory) }

// read is Read with a bound on the bytes of the decoded picture.
func read(content []byte, most int64) (Picture, error) {
	kind := Kind(content)
	if len(content) == 0 {
		return Picture{}, errors.New("the file is empty")
	}
	if kind == "" {
		head := content[:min(len(content), 1024)]
		for _, kind := range foreign {
			if bytes.Contains(head, []byte(kind[0])) {
				return Picture{}, fmt.Errorf("it is %s, which is not supported", kind[1])
			}
		}
		return Picture{}, fmt.Errorf("the content is not %s, whatever the name says", Kinds)
	}
	damaged := func(err error) error { return fmt.Errorf("the %s is damaged (%w)", kind, err) }
	// The header gives the size. A picture that is too large is refused; otherwise its memory is
	// reserved.
	config, _, err := image.DecodeConfig(bytes.NewReader(content))
	cost := perPixel(content, kind, config.ColorModel)
	mostPixels := most / cost
	switch {
	case err != nil:
		return Picture{}, damaged(err)
	case config.Width <= 0 || config.Height <= 0:
		return Picture{}, fmt.Errorf("it has no pixels (%d × %d)", config.Width, config.Height)
	case int64(config.Width) > mostPixels/int64(config.Height):
		return Picture{}, fmt.Errorf("its header says %d × %d pixels; the limit is %d", config.Width,
			config.Height, mostPixels)
	}
	size := int64(config.Width) * int64(config.Height) * cost
	if err := memory.Acquire(context.Background(), size); err != nil {
		return Picture{}, err
	}
	defer memory.Release(size)
	// The whole picture is checked, stripped, decoded and, if needed, turned and encoded again.
	p := Picture{Content: content, Format: kind, Was: kind}
	var colour []byte
	strip, keeps := strips[kind]
	if keeps {
		p.Content, colour, err = strip(content)
		p.Cleaned = len(p.Content) != len(content) // strip can only remove bytes.
	} else if several := severals[kind]; several != nil {
		p.Several, err = several(content)
	}
	if err != nil {
		return Picture{}, damaged(err)
	}
	img, _, err := image.Decode(bytes.NewReader(p.Content))
	if err != nil {
		return Picture{}, damaged(err)
	}
	if kind == "gif" { // The first frame may cover a part of the picture.
		whole := image.NewNRGBA(image.Rect(0, 0, config.Width, config.Height))
		draw.Draw(whole, img.Bounds(), img, img.Bounds().Min, draw.Src)
		img = whole
	}
	turn := orientation(content, kind)
	if p.Turned = turn > 1; p.Turned {
		img = upright(img, turn)
	}
	if p.Turned || !keeps {
		if p.Content, p.Format, err = encode(img, kind, colour); err != nil {
			return Picture{}, damaged(err)
		}
	}
	p.Width, p.Height, p.Hash = img.Bounds().Dx(), img.Bounds().Dy(), hash(img)
	return p, nil
}

// quality is the quality of encoded JPEG pictures. Its loss is below the loss of a model's own
// scaling.
const quality = 95

// encode encodes an upright picture. A JPEG, and a WebP without transparency, become JPEG, because
// as PNG lossy pictures would be many times as large. colour comes only from a JPEG or a PNG, which
// keep their kind, and goes behind the header.
func encode(img image.Image, was string, colour []byte) (content []byte, format string, err error) {
	var b bytes.Buffer
	header := pngHeader
	transparency, canSay := img.(interface{ Opaque() bool })
	if was == "jpeg" || was == "webp" && canSay && transparency.Opaque() {
		format, header = "jpeg", 2 // the marker that starts the picture
		err = jpeg.Encode(&b, img, &jpeg.Options{Quality: quality})
	} else {
		format, err = "png", png.Encode(&b, img)
	}
	if err != nil {
		return nil, "", err
	}
	return slices.Insert(b.Bytes(), header, colour...), format, nil
}
