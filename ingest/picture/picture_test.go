package picture

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// tinyWebP is a lossless WebP of one pixel, the smallest file that decodes.
const tinyWebP = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="

// encoded encodes a picture as one kind.
func encoded(t testing.TB, kind string, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch kind {
	case "png":
		err = png.Encode(&b, img)
	case "jpeg":
		err = jpeg.Encode(&b, img, &jpeg.Options{Quality: 100})
	case "gif":
		err = gif.Encode(&b, img, nil)
	case "bmp":
		err = bmp.Encode(&b, img)
	case "tiff":
		err = tiff.Encode(&b, img, &tiff.Options{Compression: tiff.Deflate})
	case "webp":
		b.Write(must.Get(base64.StdEncoding.DecodeString(tinyWebP))(t))
	}
	must.Succeed(t, err)
	return b.Bytes()
}

// corners is a picture of four differently coloured quarters: red, green, blue and white from the
// top left, line by line.
func corners(width, height int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			img.Set(x, y, cornerColours[2*(2*y/height)+2*x/width])
		}
	}
	return img
}

var cornerColours = []color.NRGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255}}

// exif is the metadata of a picture: its orientation, and a text that nobody else is to see in
// place of the artist's name.
func exif(orientation uint16) []byte {
	secret := "SECRET 52.5200 N 13.4050 E\x00"
	b := []byte("MM\x00*\x00\x00\x00\x08\x00\x02")
	b = append(b, 0x01, 0x12, 0, 3, 0, 0, 0, 1, byte(orientation>>8), byte(orientation), 0, 0)
	b = append(b, 0x01, 0x3b, 0, 2, 0, 0, 0, byte(len(secret)), 0, 0, 0, 38)
	return append(append(b, 0, 0, 0, 0), secret...)
}

func segment(marker byte, body []byte) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(body)+2)), body...)
}

func chunk(name string, body []byte) []byte {
	b := append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), name...)
	b = append(b, body...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// Every kind that can carry EXIF is turned by it. The table is the one of TIFF 6.0, section 8, tag
// 274: on which side of the upright picture the stored picture's first row lies, and its first
// column.
func TestOrientation(t *testing.T) {
	t.Parallel()
	const top, bottom, left, right = 0, 1, 0, 1
	table := []struct{ row, column int }{{top, left}, {top, right}, {bottom, right}, {bottom, left}, {left, top},
		{right, top}, {right, bottom}, {left, bottom}}
	stored := corners(64, 32)
	for i, side := range table {
		orientation := i + 1
		swapped := orientation >= 5 // The first row lies to the left or to the right.
		for _, kind := range []string{"png", "jpeg"} {
			content := encoded(t, kind, stored)
			if kind == "png" {
				content = slices.Insert(content, pngHeader, chunk("eXIf", exif(uint16(orientation)))...)
			} else {
				content = slices.Insert(content, 2,
					segment(0xe1, append([]byte("Exif\x00\x00"), exif(uint16(orientation))...))...)
			}
			p, err := Read(content)
			if err != nil {
				t.Fatalf("%s %d: %v", kind, orientation, err)
			}
			if width, height := 64, 32; swapped && (p.Width != height || p.Height != width) || !swapped &&
				(p.Width != width || p.Height != height) {
				t.Errorf("%s %d: %d × %d", kind, orientation, p.Width, p.Height)
			}
			if p.Turned != (orientation > 1) || !p.Cleaned || p.Format != kind ||
				bytes.Contains(p.Content, []byte("SECRET")) {
				t.Errorf("%s %d: %v %v %s", kind, orientation, p.Turned, p.Cleaned, p.Format)
			}
			img, _, err := image.Decode(bytes.NewReader(p.Content))
			must.Succeed(t, err)
			for corner, want := range cornerColours { // of the stored picture: first or last row, first or last column
				row, column := side.row^(corner/2), side.column^(corner%2)
				vertical, horizontal := row, column
				if swapped {
					vertical, horizontal = column, row
				}
				got := color.NRGBAModel.Convert(img.At(horizontal*(p.Width-1), vertical*(p.Height-1))).(color.NRGBA)
				if distant(got, want) {
					t.Errorf("%s %d: corner %d is %v, want %v", kind, orientation, corner, got, want)
				}
			}
		}
	}
}

// distant allows for changes by JPEG.
func distant(a, b color.NRGBA) bool {
	off := func(x, y uint8) bool { return max(x, y)-min(x, y) > 12 }
	return off(a.R, b.R) || off(a.G, b.G) || off(a.B, b.B)
}

// Everything that pixels and colours do not need goes, and nothing else: the rest is the same byte
// for byte.
func TestMetadataIsLeftOut(t *testing.T) {
	t.Parallel()
	img := corners(40, 20)
	secret := []byte("SECRET")
	icc := segment(0xe2, []byte("ICC_PROFILE\x00\x01\x01colours"))
	plainJPEG, plainPNG := encoded(t, "jpeg", img), encoded(t, "png", img)
	webp := encoded(t, "webp", nil)
	riff := func(chunks ...[]byte) []byte {
		body := append([]byte("WEBP"), slices.Concat(chunks...)...)
		return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
	}
	part := func(name, body string) []byte {
		b := append(binary.LittleEndian.AppendUint32([]byte(name), uint32(len(body))), body...)
		return append(b, make([]byte, len(body)%2)...)
	}
	vp8x := func(flags byte) []byte { return part("VP8X", string([]byte{flags, 0, 0, 0, 0, 0, 0, 0, 0, 0})) }
	for name, c := range map[string]struct{ content, want []byte }{
		"clean jpeg": {plainJPEG, plainJPEG},
		"jpeg": {
			slices.Concat(plainJPEG[:2], segment(0xe0, []byte("JFXX\x00SECRET")),
				segment(0xe1, []byte("http://ns.adobe.com/xap/1.0/\x00SECRET")), icc,
				segment(0xed, secret), segment(0xfe, secret), plainJPEG[2:], secret),
			slices.Concat(plainJPEG[:2], icc, plainJPEG[2:]),
		},
		"clean png": {plainPNG, plainPNG},
		"png": {
			slices.Concat(plainPNG[:pngHeader], chunk("gAMA", []byte{0, 0, 0xb1, 0x8f}),
				chunk("tEXt", []byte("Comment\x00SECRET")), chunk("tIME", make([]byte, 7)),
				chunk("seCr", secret), plainPNG[pngHeader:], secret),
			slices.Concat(plainPNG[:pngHeader], chunk("gAMA", []byte{0, 0, 0xb1, 0x8f}), plainPNG[pngHeader:]),
		},
		"clean webp": {webp, webp},
		"webp": {slices.Concat(riff(vp8x(0x0c), webp[12:], part("EXIF", "SECRET"), part("XMP ", "SECRETS")),
			secret), riff(vp8x(0), webp[12:])},
	} {
		p, err := Read(c.content)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !bytes.Equal(p.Content, c.want) || p.Cleaned != !bytes.Equal(c.content, c.want) || p.Turned {
			t.Errorf("%s: %d bytes, want %d: %q", name, len(p.Content), len(c.want), p.Content)
		}
	}
}

// What models cannot all read becomes PNG, pixel by pixel, and of several frames the first.
func TestConversion(t *testing.T) {
	t.Parallel()
	img := corners(10, 6)
	moving := &gif.GIF{Config: image.Config{Width: 10, Height: 6, ColorModel: color.Palette{color.White, color.Black}},
		Delay: []int{1, 1, 1}}
	for range 3 { // each covers the lower right alone
		moving.Image = append(moving.Image, image.NewPaletted(image.Rect(5, 3, 10, 6), color.Palette{color.Black}))
	}
	var animation bytes.Buffer
	must.Succeed(t, gif.EncodeAll(&animation, moving))
	page := encoded(t, "tiff", img)
	two := append(slices.Clone(page), make([]byte, len(page)%2)...)
	second := len(two)
	first := binary.LittleEndian.Uint32(two[4:])
	entries := int(binary.LittleEndian.Uint16(two[first:]))
	directory := slices.Clone(two[first : int(first)+2+12*entries+4])
	binary.LittleEndian.PutUint32(two[int(first)+2+12*entries:], uint32(second))
	two = append(two, directory...)
	for name, c := range map[string]struct {
		content []byte
		was     string
		several bool
		at      image.Point // a place, and what is there
		want    color.NRGBA
	}{
		"gif":       {encoded(t, "gif", img), "gif", false, image.Pt(9, 0), cornerColours[1]},
		"animation": {animation.Bytes(), "gif", true, image.Pt(9, 5), color.NRGBA{0, 0, 0, 255}},
		"bmp":       {encoded(t, "bmp", img), "bmp", false, image.Pt(0, 5), cornerColours[2]},
		"tiff":      {page, "tiff", false, image.Pt(9, 0), cornerColours[1]},
		"pages":     {two, "tiff", true, image.Pt(9, 0), cornerColours[1]},
	} {
		p, err := Read(c.content)
		if err != nil || p.Was != c.was || p.Format != "png" || p.Several != c.several || p.Width != 10 ||
			p.Height != 6 {
			t.Errorf("%s: %+v %v", name, p, err)
			continue
		}
		got := color.NRGBAModel.Convert(must.Get(png.Decode(bytes.NewReader(p.Content)))(t).At(c.at.X,
			c.at.Y)).(color.NRGBA)
		expect.Equal(t, got, c.want, name)
		if again, err := Read(p.Content); err != nil || !bytes.Equal(again.Content, p.Content) || again.Hash != p.Hash {
			t.Errorf("%s: read again, it changes", name)
		}
	}
}

// sized is a PNG that claims a size, with checksums that are right.
func sized(t testing.TB, width, height uint32) []byte {
	content := encoded(t, "png", corners(2, 2))
	binary.BigEndian.PutUint32(content[16:], width)
	binary.BigEndian.PutUint32(content[20:], height)
	binary.BigEndian.PutUint32(content[29:], crc32.ChecksumIEEE(content[12:29]))
	return content
}

func TestRefused(t *testing.T) {
	t.Parallel()
	whole := encoded(t, "jpeg", corners(30, 20))
	progressive := slices.Clone(whole)
	frame := progressive[bytes.Index(progressive, []byte{0xff, 0xc0}):]
	frame[1] = 0xc2
	binary.BigEndian.PutUint32(frame[5:], 6000<<16|6000)
	deep := sized(t, 6000, 6000)
	deep[24] = 16
	binary.BigEndian.PutUint32(deep[29:], crc32.ChecksumIEEE(deep[12:29]))
	scan := bytes.Index(whole, []byte{0xff, markerSOS})
	thumbnail := encoded(t, "tiff", corners(4, 4))
	directory := thumbnail[binary.LittleEndian.Uint32(thumbnail[4:]):]
	count := binary.LittleEndian.Uint16(directory)
	subfile := slices.Concat(binary.LittleEndian.AppendUint16(nil, count+1),
		[]byte{254, 0, 4, 0, 1, 0, 0, 0, 1, 0, 0, 0}, directory[2:2+12*int(count)+4])
	binary.LittleEndian.PutUint32(thumbnail[4:], uint32(len(thumbnail)))
	thumbnail = append(thumbnail, subfile...)
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"empty": {nil, "the file is empty"},
		"text": {[]byte("BMX bicycles are small."),
			"the content is not png, jpeg, webp, gif, bmp or tiff, whatever the name says"},
		"svg":         {[]byte(`<?xml version="1.0"?><SVG onload="x()"/>`), "it is svg, which is not supported"},
		"heic":        {[]byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00"), "it is heic, which is not supported"},
		"cut off":     {whole[:len(whole)-30], "the jpeg is damaged (it ends too early)"},
		"huge":        {sized(t, 50_000, 50_000), "its header says 50000 × 50000 pixels; the limit is 67108864"},
		"progressive": {progressive, "its header says 6000 × 6000 pixels; the limit is 25165824"},
		"deep":        {deep, "its header says 6000 × 6000 pixels; the limit is 33554432"},
		"overflowing": {sized(t, 1<<31-1, 1<<31-1),
			"the png is damaged (png: unsupported feature: dimension overflow)"},
		"many scans": {slices.Concat(whole[:scan],
			bytes.Repeat(segment(markerSOS, []byte{1, 1, 0, 0, 63, 0}), maxScans+1), []byte{0xff, markerEOI}),
			"the jpeg is damaged (it has more than 100 scans)"},
		"raw": {thumbnail,
			"the tiff is damaged (it begins with a thumbnail, as the raw pictures of cameras do)"},
		"moving": {[]byte("RIFF\x16\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00"),
			"the webp is damaged"},
		"tiff alone": {[]byte("II*\x00"), "the tiff is damaged"},
	} {
		if _, err := Read(c.content); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, kind := range []string{"png", "jpeg", "gif", "bmp", "tiff", "webp"} {
		f.Add(encoded(f, kind, corners(9, 7)))
	}
	jpg := encoded(f, "jpeg", corners(9, 7))
	f.Add(slices.Insert(slices.Clone(jpg), 2, segment(0xe1, append([]byte("Exif\x00\x00"), exif(6)...))...))
	f.Add(slices.Insert(encoded(f, "png", corners(9, 7)), pngHeader, chunk("eXIf", exif(8))...))
	f.Add(sized(f, 50_000, 50_000))
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 1<<16 {
			t.Skip()
		}
		p, err := read(content, 6<<16)
		if err != nil {
			return
		}
		img, kind, err := image.Decode(bytes.NewReader(p.Content))
		if err != nil || kind != p.Format || img.Bounds().Dx() != p.Width || img.Bounds().Dy() != p.Height {
			t.Fatalf("%s of %d × %d is %s of %v: %v", p.Format, p.Width, p.Height, kind, img, err)
		}
		again, err := read(p.Content, 6<<16)
		if err != nil || !bytes.Equal(again.Content, p.Content) || again.Turned || again.Cleaned {
			t.Fatalf("read again: %v %v, %d bytes of %d, %v", again.Turned, again.Cleaned, len(again.Content),
				len(p.Content), err)
		}
		if p.Hash != "" && len(p.Hash) != 16 {
			t.Fatal(p.Hash)
		}
	})
}
